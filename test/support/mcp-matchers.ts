import { expect } from '@jest/globals';

import { mcpMatchers, type McpMatchers } from '../../lib/testing/index.js';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends McpMatchers<R, T> {}
}

expect.extend(mcpMatchers);

import { describe, expect, it } from '@jest/globals';

import type { StdioOptions } from '../../../../lib/transports/stdio/stdio-options.interface.js';
import { readStdioOptions } from '../../../../lib/transports/stdio/stdio.settings.js';

describe('the options of serveStdio', () => {
  it('have the documented defaults', () => {
    expect(readStdioOptions({})).toEqual({
      server: undefined,
      auth: undefined,
      maxLineBytes: 2_000_000,
      maxSubscriptions: 32,
      writeTimeoutMs: 5_000,
      drainTimeoutMs: undefined,
      logger: undefined,
    });
  });

  it('are taken as they are', () => {
    const options = {
      server: 'admin',
      auth: 'ada',
      maxLineBytes: 1_000,
      maxSubscriptions: 1,
      writeTimeoutMs: 1,
      drainTimeoutMs: 2,
    };
    expect(readStdioOptions(options)).toMatchObject(options);
  });

  it.each([
    [{ maxLineByte: 1 }, /"serveStdio.maxLineByte".*Valid options: server, auth, maxLineBytes/],
    [{ maxLineBytes: 999 }, /"serveStdio.maxLineBytes".*a whole number from 1000 to/],
    [{ maxLineBytes: '2000' }, /"serveStdio.maxLineBytes"/],
    [{ maxSubscriptions: 0 }, /"serveStdio.maxSubscriptions".*from 1/],
    [{ writeTimeoutMs: 2 ** 31 }, /"serveStdio.writeTimeoutMs".*to 2147483647/],
    [{ writeTimeoutMs: Number.NaN }, /"serveStdio.writeTimeoutMs"/],
    [{ drainTimeoutMs: 0 }, /"serveStdio.drainTimeoutMs".*from 1/],
    [{ server: '' }, /"serveStdio.server".*McpModule.forRoot\({ server }\)/],
    [null, /"serveStdio".*left out/],
    ['admin', /"serveStdio".*an object/],
  ])('refuse %j, and name the cure', (options, message) => {
    expect(() => readStdioOptions(options as StdioOptions)).toThrow(message);
  });
});

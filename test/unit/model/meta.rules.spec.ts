import { describe, expect, it } from '@jest/globals';

import { findMetaFault, isMetaKey } from '../../../lib/model/meta.rules.js';

describe('keys of _meta', () => {
  it.each(['a', 'a.b-c_d', 'com.example/', 'com.example/note', 'a-1.b2/x9', 'ui', 'traceparent', ''])(
    'can be %j',
    (key) => {
      expect(isMetaKey(key)).toBe(true);
    },
  );

  it.each(['a b', '-a', 'a-', '/a', '1a.b/c', 'a-.b/c', 'a..b/c', 'a/b/c', 'é', 'a\n', '__proto__'])(
    'cannot be %j',
    (key) => {
      expect(isMetaKey(key)).toBe(false);
      expect(findMetaFault(JSON.parse(`{${JSON.stringify(key)}:1}`))).toMatchObject({
        place: `[${JSON.stringify(key)}]`,
      });
    },
  );

  it.each([
    'io.modelcontextprotocol/serverInfo',
    'dev.mcp/x',
    'com.mcp.tools/x',
    'org.modelcontextprotocol.api/',
    'IO.ModelContextProtocol/x',
  ])('are the protocol’s own when they begin like %s', (key) => {
    expect(findMetaFault({ 'example.com/a': 1, [key]: 1 })?.reason).toMatch(/belongs to the protocol/);
  });

  it.each(['com.example.mcp/x', 'mcp/x', 'mcp', 'io.mcpx/x', 'modelcontextprotocol/x', 'com.example/mcp.x'])(
    'are anybody’s when they begin like %s',
    (key) => {
      expect(findMetaFault({ [key]: 1 })).toBeUndefined();
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import * as names from '../../../lib/wire/headers.js';

describe('header names', () => {
  it('are distinct lower-case tokens', () => {
    const texts = Object.entries(names).filter(
      ([name, value]) => typeof value === 'string' && !name.endsWith('_MEDIA_TYPE'),
    );
    const values = texts.map(([, value]) => value as string);
    expect(values).toHaveLength(6);
    expect(values.filter((value) => !/^[a-z]+(?:-[a-z]+)*-?$/.test(value))).toEqual([]);
    expect(new Set(values).size).toBe(values.length);
  });

  it('are those of the specification', () => {
    expect(names).toMatchObject({
      MCP_PROTOCOL_VERSION: 'mcp-protocol-version',
      MCP_METHOD: 'mcp-method',
      MCP_NAME: 'mcp-name',
      MCP_PARAM_PREFIX: 'mcp-param-',
      MCP_SESSION_ID: 'mcp-session-id',
      LAST_EVENT_ID: 'last-event-id',
    });
  });
});

import { describe, expect, it } from '@jest/globals';

import {
  checkMethodHeader,
  checkNameHeader,
  checkVersionHeader,
} from '../../../../lib/dialects/v2026-07-28/envelope.js';
import type { ExchangeHead } from '../../../../lib/wire/exchange.js';

/** Creates a head in the form of Node: names are in lower case, and repeated headers are joined. */
function headOf(...lines: (readonly [string, string])[]): ExchangeHead {
  const headers: Record<string, string> = {};
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return { method: 'POST', headers, rawHeaders: lines.flat(), contentType: 'application/json' };
}

describe('mirrored headers', () => {
  it('are not checked when the transport has no headers', () => {
    expect(checkVersionHeader(undefined, 'x')).toBeUndefined();
    expect(checkMethodHeader(undefined, 'x')).toBeUndefined();
    expect(checkNameHeader(undefined, 'x')).toBeUndefined();
  });

  it('must equal the body, also in upper and lower case', () => {
    expect(checkMethodHeader(headOf(['Mcp-Method', 'tools/list']), 'tools/list')).toBeUndefined();
    expect(checkMethodHeader(headOf(['mcp-method', 'Tools/List']), 'tools/list')).toEqual({
      kind: 'header-mismatch',
      message: 'The header Mcp-Method differs from the body',
      header: 'Tools/List',
      body: 'tools/list',
    });
    expect(checkMethodHeader(headOf(['mcp-method', 'tools/list\u00a0']), 'tools/list')).toMatchObject({
      kind: 'header-mismatch',
    });
  });

  it('must be present', () => {
    expect(checkVersionHeader(headOf(), '2026-07-28')).toMatchObject({ kind: 'header-mismatch', body: '2026-07-28' });
  });

  it('must be present only once, and a comma is not a repetition', () => {
    const twice = headOf(['mcp-method', 'a'], ['MCP-Method', 'a']);
    expect(checkMethodHeader(twice, 'a')).toMatchObject({ message: expect.stringContaining('more than once') });
    expect(checkMethodHeader(twice, 'a, a')).toMatchObject({ kind: 'header-mismatch' });
    expect(checkMethodHeader(headOf(['mcp-method', 'a, a']), 'a, a')).toBeUndefined();
  });

  it('are decoded before they are compared, and are not compared when the body has no name', () => {
    const encoded = headOf(['mcp-name', '=?base64?Y2Fmw6k=?=']);
    expect(checkNameHeader(encoded, 'café')).toBeUndefined();
    expect(checkNameHeader(encoded, undefined)).toBeUndefined();
    expect(checkNameHeader(encoded, 'cafe')).toMatchObject({ header: 'café', body: 'cafe' });
    expect(checkNameHeader(headOf(), undefined)).toMatchObject({ kind: 'header-mismatch' });
    expect(checkNameHeader(headOf(['mcp-name', '=?base64?Y2Fmw6k?=']), 'café')).toMatchObject({
      message: expect.stringContaining('encoded'),
    });
  });
});

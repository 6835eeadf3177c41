import { describe, expect, it } from '@jest/globals';

import { readToolReturn } from '../../../../lib/dispatch/operations/call-tool.operation.js';

/** Has the shape of a result, but `toJSON` returns something else. */
class Odd {
  readonly content = [{ type: 'text' as const, text: 'a' }];

  toJSON(): string {
    return 'odd';
  }
}

describe('a full result', () => {
  it('is read by its members, and toJSON of its class is ignored', () => {
    const read = readToolReturn(new Odd(), false);
    expect(read.kind).toBe('result');
    expect(JSON.stringify(read.kind === 'result' ? read.result : undefined)).toBe(
      '{"content":[{"type":"text","text":"a"}]}',
    );
  });

  it('is copied, so that the author cannot change it later', () => {
    const result = { content: [], isError: false };
    const read = readToolReturn(result, false);
    result.isError = true;
    expect(read).toEqual({ kind: 'result', result: { content: [], isError: false } });
  });
});

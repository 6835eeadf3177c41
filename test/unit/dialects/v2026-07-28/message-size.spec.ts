import { describe, expect, it, jest } from '@jest/globals';

import { MessageSize, ResultTooLargeError } from '../../../../lib/dialects/v2026-07-28/result.encoder.js';
import type { Operation, OperationRequest } from '../../../../lib/model/operation.js';

const asking = (operation: Operation): OperationRequest => ({
  operation,
  id: 1,
  client: { capabilities: {}, protocolVersion: '2026-07-28' },
  meta: {},
  caller: { auth: () => undefined },
});

describe('the size of a message', () => {
  it.each([
    ['x'.repeat(9), 9],
    ['€€€', 9],
    ['🦊🦊x', 9],
  ])('is counted in bytes: %j', (json, bytes) => {
    expect(new MessageSize(bytes).check(json)).toBe(json);
    expect(() => new MessageSize(bytes - 1).check(json)).toThrow(`${bytes} bytes or more`);
  });

  it('is not measured when the length of the string is enough to decide', () => {
    const measure = jest.spyOn(Buffer, 'byteLength');
    new MessageSize(300).check('x'.repeat(100));
    expect(() => new MessageSize(10).check('x'.repeat(100))).toThrow(ResultTooLargeError);
    expect(measure).not.toHaveBeenCalled();
    measure.mockRestore();
  });

  it.each<[Operation, string]>([
    [
      { kind: 'call-tool', name: 'search', arguments: {} },
      'The result of the tool "search" is too large to be sent: it has 5 bytes or more',
    ],
    [{ kind: 'get-prompt', name: 'greet', arguments: {} }, 'The result of the prompt "greet" is too large'],
    [{ kind: 'read-resource', uri: 'notes://1' }, 'The result of the resource "notes://1" is too large'],
    [{ kind: 'read-resource', uri: 'x'.repeat(500) }, `"${'x'.repeat(128)}…" is too large`],
    [{ kind: 'list', of: 'tool' }, 'The result of a request of the kind "list" is'],
  ])('is reported in an error that names the component and a solution (%#)', (operation, words) => {
    const error = new ResultTooLargeError(5, 4).of('The result', asking(operation));
    expect(error.message).toContain(words);
    expect(error.message).toContain('limits.maxResultBytes is 4. Return it in pages');
    expect(error.code).toBe('MCP_RESULT_TOO_LARGE');
  });
});

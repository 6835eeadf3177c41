import { describe, expect, it } from '@jest/globals';

import { checkMessage } from '../../../lib/admission/admission.pipeline.js';

describe('checkMessage', () => {
  it.each([
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }],
    ['a notification whose parameters are a list', { jsonrpc: '2.0', method: 'notifications/x', params: [] }],
    ['a notification without a version', { method: 'notifications/x' }],
  ])('refuses %s with 400 and marks that the client expects no response', (_name, message) => {
    expect(checkMessage(message)).toMatchObject({ kind: 'refused', refusal: { status: 400, unawaited: true } });
  });

  it.each([
    ['a batch', []],
    ['a value that is not an object', 1],
    ['a request with the id null', { jsonrpc: '2.0', id: null, method: 'tools/list' }],
    ['a request without a version', { id: 1, method: 'tools/list' }],
    ['a message without a method', { jsonrpc: '2.0', id: 1 }],
  ])('refuses %s with 400 and does not mark that the client expects no response', (_name, message) => {
    const verdict = checkMessage(message);
    expect(verdict).toMatchObject({ kind: 'refused', refusal: { status: 400 } });
    expect(verdict).not.toHaveProperty('refusal.unawaited');
  });
});

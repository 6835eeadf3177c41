import { describe, expect, it } from '@jest/globals';

import { checkMessage } from '../../../lib/admission/admission.pipeline.js';

describe('the check of a message', () => {
  it.each([
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }],
    ['a notification whose parameters are a list', { jsonrpc: '2.0', method: 'notifications/x', params: [] }],
    ['a notification of no version', { method: 'notifications/x' }],
  ])('says of %s that nobody awaits an answer', (_name, message) => {
    expect(checkMessage(message)).toMatchObject({ kind: 'refused', refusal: { status: 400, unawaited: true } });
  });

  it.each([
    ['a batch', []],
    ['what is no object', 1],
    ['a request with a strange id', { jsonrpc: '2.0', id: null, method: 'tools/list' }],
    ['a request of no version', { id: 1, method: 'tools/list' }],
    ['a message without method', { jsonrpc: '2.0', id: 1 }],
  ])('refuses %s, to whoever awaits an answer', (_name, message) => {
    const verdict = checkMessage(message);
    expect(verdict).toMatchObject({ kind: 'refused', refusal: { status: 400 } });
    expect(verdict).not.toHaveProperty('refusal.unawaited');
  });
});

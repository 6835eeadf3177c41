import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { Caller } from '../../../lib/model/peer.js';
import { CancellationScopes } from '../../../lib/server/reply.stream.js';

const callerOf = (auth: unknown, scope: unknown): Caller => ({ auth: () => auth, cancellationScope: () => scope });
const ada = callerOf({ sub: 'ada' }, 'tab1');

describe('CancellationScopes', () => {
  it('gives the same caller and client the same scope, and the id as it came', () => {
    const scopes = new CancellationScopes();
    expect(scopes.keyOf(ada, 7)).toEqual(scopes.keyOf(callerOf({ sub: 'ada' }, 'tab1'), 7));
    expect([scopes.keyOf(ada, 7)?.id, scopes.keyOf(ada, '7')?.id, scopes.keyOf(ada, 7n)?.id]).toEqual([7, '7', 7n]);
  });

  it.each([
    ['another caller', callerOf({ sub: 'eve' }, 'tab1')],
    ['more about the same caller', callerOf({ sub: 'ada', role: 'admin' }, 'tab1')],
    ['another client', callerOf({ sub: 'ada' }, 'tab2')],
    ['parts that only look alike together', callerOf({ sub: 'ada" "tab1' }, '')],
  ])('gives %s another scope, or none', (_name, other) => {
    const scopes = new CancellationScopes();
    expect(scopes.keyOf(other, 7)?.scope).not.toBe(scopes.keyOf(ada, 7)?.scope);
  });

  it('is of one server alone', () => {
    expect(new CancellationScopes().keyOf(ada, 7)?.scope).not.toBe(new CancellationScopes().keyOf(ada, 7)?.scope);
  });

  it.each([
    ['nobody', callerOf(undefined, 'tab1')],
    ['a caller that is null', callerOf(null, 'tab1')],
    ['no client', callerOf({ sub: 'ada' }, undefined)],
    ['a client that is null', callerOf({ sub: 'ada' }, null)],
    ['a client without a name', callerOf({ sub: 'ada' }, '')],
    ['a host that knows no scopes', { auth: () => ({ sub: 'ada' }) }],
  ])('does not exist for %s', (_name, caller) => {
    expect(new CancellationScopes().keyOf(caller, 7)).toBeUndefined();
  });

  it('is the connection if that has one client, for every caller', () => {
    const scopes = new CancellationScopes();
    const clientInstance = {};
    const client = (auth: unknown): Caller => ({ auth: () => auth, clientInstance });
    expect(scopes.keyOf(client(undefined), 7)).toEqual({ scope: clientInstance, id: 7 });
    expect(scopes.keyOf(client({ sub: 'ada' }), 7)?.scope).toBe(clientInstance);
    expect(scopes.keyOf({ auth: () => undefined, clientInstance: {} }, 7)?.scope).not.toBe(clientInstance);
  });

  it('warns once of what cannot be compared', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const scopes = new CancellationScopes();
    for (let time = 0; time < 3; time += 1) expect(scopes.keyOf(callerOf(new Map(), 'tab1'), time)).toBeUndefined();
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});

import { describe, expect, it } from '@jest/globals';

import { RequireScopes } from '../../../../lib/decorators/access.decorator.js';
import { AccessRules, questionAbout } from '../../../../lib/dispatch/access/access.rules.js';
import type { Caller } from '../../../../lib/model/peer.js';
import type { ComponentHost, ListedComponent } from '../../../../lib/registry/registered-component.js';

class Office {
  @RequireScopes('read')
  closed(): void {}

  open(): void {}
}

const hostOf = (method: string): ComponentHost => ({ prototype: Office.prototype, method }) as unknown as ComponentHost;

const callerWith = (auth: unknown, request?: unknown): Caller => ({ auth: () => auth, request });

describe('access rules', () => {
  it('refuse callers that do not meet the decorators of a component', () => {
    const rules = new AccessRules();
    const host = hostOf('closed');
    expect(rules.refusalFor(host, callerWith({ scope: 'read' }))).toBeUndefined();
    expect(rules.refusalFor(host, callerWith({}))).toMatchObject({ kind: 'forbidden' });
    expect(rules.refusalFor(host, callerWith(undefined))).toMatchObject({ kind: 'unauthenticated' });
    expect(rules.refusalFor(hostOf('open'), callerWith(undefined))).toBeUndefined();
  });

  it('are read once for each component', () => {
    const rules = new AccessRules();
    const host = hostOf('closed');
    expect(rules.of(host)).toBe(rules.of(host));
    let reads = 0;
    const counted = {
      method: 'open',
      get prototype() {
        reads += 1;
        return Office.prototype;
      },
    } as unknown as ComponentHost;
    expect([rules.of(counted), rules.of(counted), reads]).toEqual([undefined, undefined, 1]);
  });

  it('do not read the caller when a component has no rules', () => {
    const unseen: Caller = {
      auth: () => {
        throw new Error('nobody asked');
      },
    };
    expect(new AccessRules().refusalFor(hostOf('open'), unseen)).toBeUndefined();
  });
});

describe('a question to the policy', () => {
  const about = (kind: string, definition: object, requestedUri?: string): unknown => {
    const component = { kind, definition } as unknown as ListedComponent;
    return questionAbout(component, 'invocation', callerWith('auth', 'request'), requestedUri);
  };

  it.each([
    ['tool', { name: 'a' }, { kind: 'tool', name: 'a' }],
    ['prompt', { name: 'a' }, { kind: 'prompt', name: 'a' }],
    ['resource', { name: 'a', uri: 'x://a' }, { kind: 'resource', name: 'a', uri: 'x://a' }],
    ['template', { name: 'a', uriTemplate: 'x://{a}' }, { kind: 'template', name: 'a', uri: 'x://{a}' }],
  ])('contains a %s and the caller', (kind, definition, component) => {
    expect(about(kind, definition)).toEqual({ phase: 'invocation', component, auth: 'auth', request: 'request' });
    expect(about(kind, definition, 'x://b')).toMatchObject({ component: { ...component, requestedUri: 'x://b' } });
  });
});

import { describe, expect, it } from '@jest/globals';

import { readListen } from '../../../../lib/dialects/v2026-07-28/methods.js';

const NOTHING = { tools: false, prompts: false, resources: false, uris: [] };
const read = (notifications: unknown): unknown => readListen({ notifications });
const uris = (count: number): string[] => Array.from({ length: count }, (_, index) => `demo://${index}`);

describe('readListen', () => {
  it.each([
    ['an empty filter', {}, {}],
    ['flags of the tools and prompts', { toolsListChanged: true, promptsListChanged: false }, { tools: true }],
    ['the flag of the prompts', { promptsListChanged: true }, { prompts: true }],
    ['the flag of the resources', { resourcesListChanged: true }, { resources: true }],
    [
      'URIs as they are written',
      { resourceSubscriptions: ['demo://é', 'DEMO://%c3%a9'] },
      { uris: ['demo://é', 'DEMO://%c3%a9'] },
    ],
    ['a repeated URI once', { resourceSubscriptions: ['a:1', 'b:1', 'a:1'] }, { uris: ['a:1', 'b:1'] }],
    [
      'URIs of any scheme',
      { resourceSubscriptions: ['urn:isbn:1', 'a+b.c-d:x'] },
      { uris: ['urn:isbn:1', 'a+b.c-d:x'] },
    ],
    ['the maximum number of URIs', { resourceSubscriptions: uris(1_000) }, { uris: uris(1_000) }],
    ['a filter with a member of an extension', { taskIds: 7, toolsListChanged: true }, { tools: true }],
  ])('reads %s', (_name, notifications, filter) => {
    expect(read(notifications)).toEqual({ kind: 'listen', filter: { ...NOTHING, ...filter } });
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a list', []],
    ['a string', 'toolsListChanged'],
    ['a flag as a string', { toolsListChanged: 'false' }],
    ['a flag as a number', { promptsListChanged: 0 }],
    ['a flag that is null', { resourcesListChanged: null }],
    ['a list that is null', { resourceSubscriptions: null }],
    ['URIs as a string', { resourceSubscriptions: 'a:1' }],
    ['URIs as an object', { resourceSubscriptions: { length: 0 } }],
    ['too many URIs', { resourceSubscriptions: uris(1_001) }],
    ['too many equal URIs', { resourceSubscriptions: Array.from({ length: 1_001 }, () => 'a:1') }],
    ['a number as a URI', { resourceSubscriptions: [1] }],
    ['undefined as a URI', { resourceSubscriptions: ['a:1', undefined] }],
    ['a relative URI', { resourceSubscriptions: ['a/b'] }],
    ['a scheme that begins with a digit', { resourceSubscriptions: ['1a:b'] }],
    ['a URI with only a scheme', { resourceSubscriptions: ['a:'] }],
    ['a URI with a space', { resourceSubscriptions: ['a:b c'] }],
    ['a URI with a control character', { resourceSubscriptions: ['a:b\u0000'] }],
    ...['"', '<', '>', '\\', '^', '`', '{', '|', '}', '%', '%zz'].map((text): [string, object] => [
      `${text}, which no URI may contain`,
      { resourceSubscriptions: ['a:b', `a:b${text}`] },
    ]),
    ['a URI with a line break at the end', { resourceSubscriptions: ['a:b\n'] }],
    ['a URI that is too long', { resourceSubscriptions: [`a:${'b'.repeat(2_047)}`] }],
  ])('refuses a filter that is or contains %s', (_name, notifications) => {
    expect(read(notifications)).toEqual({
      fault: { kind: 'invalid-params', message: expect.stringContaining('notifications') },
    });
  });

  it('names the invalid flag without repeating its value', () => {
    expect(read({ promptsListChanged: 'a secret' })).toEqual({
      fault: { kind: 'invalid-params', message: 'notifications.promptsListChanged must be a boolean' },
    });
  });

  it('does not read flags from the member __proto__', () => {
    const notifications = JSON.parse('{"__proto__":{"toolsListChanged":true}}') as unknown;
    expect(read(notifications)).toEqual({ kind: 'listen', filter: NOTHING });
  });
});

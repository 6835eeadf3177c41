import { describe, expect, it } from '@jest/globals';

import { readListen } from '../../../../lib/dialects/v2026-07-28/methods.js';

const NOTHING = { tools: false, prompts: false, resources: false, uris: [] };
const read = (notifications: unknown): unknown => readListen({ notifications });
const uris = (count: number): string[] => Array.from({ length: count }, (_, index) => `demo://${index}`);

describe('what a client wants to hear of', () => {
  it.each([
    ['nothing', {}, {}],
    ['flags', { toolsListChanged: true, promptsListChanged: false }, { tools: true }],
    ['prompts', { promptsListChanged: true }, { prompts: true }],
    ['resources', { resourcesListChanged: true }, { resources: true }],
    [
      'URIs as they are spelled',
      { resourceSubscriptions: ['demo://é', 'DEMO://%c3%a9'] },
      { uris: ['demo://é', 'DEMO://%c3%a9'] },
    ],
    ['a URI once', { resourceSubscriptions: ['a:1', 'b:1', 'a:1'] }, { uris: ['a:1', 'b:1'] }],
    [
      'URIs of any scheme',
      { resourceSubscriptions: ['urn:isbn:1', 'a+b.c-d:x'] },
      { uris: ['urn:isbn:1', 'a+b.c-d:x'] },
    ],
    ['as many as there may be', { resourceSubscriptions: uris(1_000) }, { uris: uris(1_000) }],
    ['what an extension asks for', { taskIds: 7, toolsListChanged: true }, { tools: true }],
  ])('is %s', (_name, notifications, filter) => {
    expect(read(notifications)).toEqual({ kind: 'listen', filter: { ...NOTHING, ...filter } });
  });

  it.each([
    ['absent', undefined],
    ['null', null],
    ['a list', []],
    ['a text', 'toolsListChanged'],
    ['a flag as a text', { toolsListChanged: 'false' }],
    ['a flag as a number', { promptsListChanged: 0 }],
    ['a flag that is null', { resourcesListChanged: null }],
    ['a list that is null', { resourceSubscriptions: null }],
    ['URIs as a text', { resourceSubscriptions: 'a:1' }],
    ['URIs as an object', { resourceSubscriptions: { length: 0 } }],
    ['too many URIs', { resourceSubscriptions: uris(1_001) }],
    ['too many URIs, though they are equal', { resourceSubscriptions: Array.from({ length: 1_001 }, () => 'a:1') }],
    ['a number as a URI', { resourceSubscriptions: [1] }],
    ['a hole', { resourceSubscriptions: ['a:1', undefined] }],
    ['a relative URI', { resourceSubscriptions: ['a/b'] }],
    ['a scheme that begins with a digit', { resourceSubscriptions: ['1a:b'] }],
    ['a scheme alone', { resourceSubscriptions: ['a:'] }],
    ['a space', { resourceSubscriptions: ['a:b c'] }],
    ['a control character', { resourceSubscriptions: ['a:b\u0000'] }],
    ...['"', '<', '>', '\\', '^', '`', '{', '|', '}', '%', '%zz'].map((text): [string, object] => [
      `${text}, which no URI has`,
      { resourceSubscriptions: ['a:b', `a:b${text}`] },
    ]),
    ['a line break at the end', { resourceSubscriptions: ['a:b\n'] }],
    ['a URI that is too long', { resourceSubscriptions: [`a:${'b'.repeat(2_047)}`] }],
  ])('cannot be told when it is or holds %s', (_name, notifications) => {
    expect(read(notifications)).toEqual({
      fault: { kind: 'invalid-params', message: expect.stringContaining('notifications') },
    });
  });

  it('is told which flag is wrong, without repeating it', () => {
    expect(read({ promptsListChanged: 'a secret' })).toEqual({
      fault: { kind: 'invalid-params', message: 'notifications.promptsListChanged must be a boolean' },
    });
  });

  it('is not taken from what is inherited', () => {
    const notifications = JSON.parse('{"__proto__":{"toolsListChanged":true}}') as unknown;
    expect(read(notifications)).toEqual({ kind: 'listen', filter: NOTHING });
  });
});

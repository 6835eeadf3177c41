import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';

import {
  Completion,
  Prompt,
  RequireNothing,
  RequireRoles,
  RequireScopes,
  Resource,
  Tool,
  type McpModuleOptions,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { ListenedApp } from '../support/listening.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { as, namesOf, visibleApp } from '../support/visible-app.js';

@Injectable()
@RequireScopes('read')
class Office {
  @Tool({ description: 'd' })
  plain(): string {
    return 'plain';
  }

  @Tool({ description: 'd', input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } })
  @RequireScopes('write', 'delete')
  remove(): string {
    return 'removed';
  }

  @Tool({ description: 'd' })
  @RequireNothing()
  open(): string {
    return 'open';
  }

  @Tool({ description: 'd' })
  @RequireNothing()
  @RequireRoles('admin', 'owner')
  either(): string {
    return 'either';
  }

  @Tool({ description: 'd' })
  @RequireRoles({ all: ['admin', 'owner'] })
  both(): string {
    return 'both';
  }

  @Prompt({ description: 'd', input: { type: 'object', properties: { a: { type: 'string' } } } })
  ask(): string {
    return 'ask';
  }

  @Completion({ prompt: 'ask', argument: 'a' })
  @RequireNothing()
  suggest(): string[] {
    return ['suggested'];
  }

  @Resource({ uri: 'office://file', description: 'd' })
  file(): string {
    return 'file';
  }

  @Resource({ uri: 'office://{room}/desk', description: 'd' })
  desk(): string {
    return 'desk';
  }
}

const CLERK = { scope: 'read' };
const CHIEF = { scopes: ['read', 'write', 'delete'], roles: ['admin', 'owner'] };

const USES: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['a tool', 'tools/call', { name: 'plain' }],
  ['a prompt', 'prompts/get', { name: 'ask' }],
  ['a resource', 'resources/read', { uri: 'office://file' }],
  ['a path of a template', 'resources/read', { uri: 'office://a/desk' }],
  [
    'a completion',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'a', value: '' } },
  ],
  [
    'a completion that nobody provides',
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'office://{room}/desk' }, argument: { name: 'room', value: '' } },
  ],
];

describe.each(ADAPTERS)('scopes and roles on $name', (adapter) => {
  const open = (options: Partial<McpModuleOptions> = {}): Promise<ServedApp> =>
    serve(visibleApp([Office], options), adapter);

  it('decide the content of lists, for concurrent callers', async () => {
    await using app = await open();
    const [nobody, clerk, admin, chief] = await Promise.all([
      namesOf(app, 'tools'),
      namesOf(app, 'tools', CLERK),
      namesOf(app, 'tools', { ...CLERK, roles: ['admin'] }),
      namesOf(app, 'tools', CHIEF),
    ]);
    expect(nobody).toEqual(['open']);
    expect(clerk).toEqual(['plain', 'open']);
    expect(admin).toEqual(['plain', 'open', 'either']);
    expect(chief).toEqual(['plain', 'remove', 'open', 'either', 'both']);
    for (const list of ['prompts', 'resources', 'resourceTemplates'] as const) {
      expect(await namesOf(app, list)).toEqual([]);
      expect(await namesOf(app, list, CLERK)).toHaveLength(1);
    }
  });

  it.each(USES)('decide about %s', async (_name, method, params) => {
    await using app = await open();
    const nobody = await app.send(method, params);
    expect([nobody.status, nobody.message.error.code]).toEqual([401, 401]);
    const stranger = await app.send(method, params, as({ scope: 'other reading' }));
    expect([stranger.status, stranger.message.error.code]).toEqual([403, 403]);
    expect(stranger.headers.get('www-authenticate')).toContain('scope="read"');
    expect((await app.send(method, params, as(CLERK))).message.error).toBeUndefined();
  });

  it('come before the arguments', async () => {
    await using app = await open();
    const refused = await app.call('remove', { n: 'no number' }, as(CLERK));
    expect(refused.message.error.code).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('scope="read write delete"');
    const wrong = await app.call('remove', { n: 'no number' }, as(CHIEF));
    expect(wrong.message.result).toMatchObject({ isError: true });
    expect((await app.call('both', {}, as({ ...CHIEF, roles: ['admin'] }))).status).toBe(403);
  });

  it('refuse in the words of an unknown name when that is wanted', async () => {
    await using app = await open({ auth: { refusals: 'conceal' } });
    for (const [, method, params] of USES) {
      const known = JSON.stringify(params);
      const strange = known.replace(/plain|ask|file|desk/, (name) => 'x'.repeat(name.length));
      const refused = await app.send(method, params);
      const unknown = await app.send(method, JSON.parse(strange) as Record<string, unknown>);
      expect([refused.status, unknown.status]).toEqual([200, 200]);
      expect(refused.text.replace(/plain|ask|file|desk/g, (name) => 'x'.repeat(name.length))).toBe(unknown.text);
    }
  });

  it('drop watched resources, and keep those that nothing answers', async () => {
    const uris = ['office://file', 'office://a/desk', 'office://nothing'];
    await using app = await ListenedApp.serve(visibleApp([Office]), adapter);
    for (const [auth, kept] of [
      [undefined, ['office://nothing']],
      [CLERK, uris],
    ] as const) {
      using stream = await app.listen({ resourceSubscriptions: uris }, as(auth));
      expect(stream.messages[0]?.params?.['notifications']).toEqual({ resourceSubscriptions: kept });
    }
  });

  it('make lists and reads private, for any options', async () => {
    const scope = 'public' as const;
    const cache = { tools: { scope }, resources: { scope }, read: { scope }, discover: { scope } };
    await using app = await open({ cache, pageSize: 1 });
    const first = await app.send('tools/list', {}, as(CLERK));
    const { nextCursor: cursor } = first.message.result;
    const second = await app.send('tools/list', { cursor }, as(CLERK));
    const read = await app.send('resources/read', { uri: 'office://file' }, as(CLERK));
    for (const { message } of [first, second, read]) expect(message.result.cacheScope).toBe('private');
    expect((await app.send('server/discover')).message.result.cacheScope).toBe('public');
  });

  it('bind a cursor to the list of its caller', async () => {
    await using app = await open({ pageSize: 1 });
    const { nextCursor: cursor } = (await app.send('tools/list', {}, as(CLERK))).message.result;
    const next = (auth: unknown): ReturnType<ServedApp['send']> => app.send('tools/list', { cursor }, as(auth));
    expect((await next(CLERK)).message.result).toMatchObject({ tools: [{ name: 'open' }] });
    expect((await next({ scopes: ['read'] })).message.result).toMatchObject({ tools: [{ name: 'open' }] });
    expect((await next(CHIEF)).message.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching('earlier'),
    });
  });
});

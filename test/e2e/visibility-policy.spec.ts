import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Scope, type DynamicModule, type Provider } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';

import {
  Completion,
  McpPolicy,
  Prompt,
  Resource,
  Tool,
  type McpModuleOptions,
  type PolicyQuestion,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { ListenedApp } from '../support/listening.js';
import type { RequestParts } from '../support/mcp-request.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { as, namesOf, policyOf, visibleApp, type Decide, type WebRequest } from '../support/visible-app.js';

const asRole = (role: string): RequestParts => as({ role });

@Injectable()
class Library {
  @Tool({ description: 'd', input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } })
  secret(): string {
    return 'reached';
  }

  @Tool({ description: 'd' })
  known(): string {
    return 'reached';
  }

  @Prompt({ description: 'd', input: { type: 'object', properties: { a: { type: 'string' } } } })
  secretPrompt(): string {
    return 'reached';
  }

  @Completion({ prompt: 'secret_prompt', argument: 'a' })
  suggest(): string[] {
    return ['reached'];
  }

  @Resource({ uri: 'books://secret', description: 'd' })
  secretBook(): string {
    return 'reached';
  }

  @Resource({ uri: 'books://{shelf}/book', description: 'd' })
  book(): string {
    return 'reached';
  }
}

const libraryApp = (auth: McpModuleOptions['auth'], providers: readonly Provider[] = []): DynamicModule =>
  visibleApp([Library, ...providers], { auth: auth ?? {} });

const asked: PolicyQuestion[] = [];

const recorded = (decide: Decide): McpPolicy =>
  policyOf((question) => {
    asked.push(question);
    return decide(question);
  });

const isChief = ({ auth }: PolicyQuestion): boolean => (auth as { role?: string } | undefined)?.role === 'chief';
const isSecret = ({ component }: PolicyQuestion): boolean =>
  `${component.name} ${component.requestedUri ?? ''}`.includes('secret');
const hides: Decide = (question) => isChief(question) || !isSecret(question);
const explains: Decide = (question) =>
  hides(question) === true || { refused: 'For chiefs', data: { ask: 'the chief' } };

const toolsOf = (app: ServedApp, role?: string): Promise<string[]> =>
  namesOf(app, 'tools', role === undefined ? undefined : { role });

const USES: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['a tool with wrong arguments', 'tools/call', { name: 'secret', arguments: { n: 'no number' } }],
  ['a prompt', 'prompts/get', { name: 'secret_prompt' }],
  ['a resource', 'resources/read', { uri: 'books://secret' }],
  ['one path of a template', 'resources/read', { uri: 'books://secret/book' }],
  [
    'a completion',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'secret_prompt' }, argument: { name: 'a', value: '' } },
  ],
  [
    'a completion of an argument that does not exist',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'secret_prompt' }, argument: { name: 'other', value: '' } },
  ],
];

describe.each(ADAPTERS)('a policy on $name', (adapter) => {
  const open = (auth: McpModuleOptions['auth'], providers?: readonly Provider[]): Promise<ServedApp> =>
    serve(libraryApp(auth, providers), adapter);

  it.each<readonly [string, Decide]>([
    ['at once', hides],
    ['later', async (question) => Promise.resolve(hides(question))],
    ['in words', explains],
  ])('hides from lists what it refuses %s', async (_name, decide) => {
    await using app = await open({ policy: recorded(decide) });
    const [guest, chief] = await Promise.all([toolsOf(app, 'guest'), toolsOf(app, 'chief')]);
    expect([guest, chief]).toEqual([['known'], ['secret', 'known']]);
    const { message } = await app.send('prompts/list');
    expect(message.result).toMatchObject({ prompts: [], cacheScope: 'private' });
  });

  it.each(USES)('refuses the use of %s before anything looks at it', async (_name, method, params) => {
    await using app = await open({ policy: recorded(explains) });
    const { status, message } = await app.send(method, params, asRole('guest'));
    expect([status, message.error]).toEqual([200, { code: 403, message: 'For chiefs', data: { ask: 'the chief' } }]);
    expect((await app.send(method, params, asRole('chief'))).message.error?.code).not.toBe(403);
  });

  it.each(USES)('conceals %s in the words of an unknown one', async (_name, method, params) => {
    await using app = await open({ policy: recorded(hides), refusals: 'conceal' });
    const strange = JSON.parse(JSON.stringify(params).replace(/secret_prompt|secret/, 'ab/ent')) as typeof params;
    const refused = await app.send(method, params);
    const unknown = await app.send(method, strange);
    expect(refused.text.replace(/secret_prompt|secret/g, 'ab/ent')).toBe(unknown.text);
    expect(unknown.message.error.code).toBe(-32602);
  });

  it('is asked once for each use, and gets the requested component', async () => {
    await using app = await open({ policy: recorded(() => true) });
    asked.length = 0;
    await app.send('resources/read', { uri: 'books://a/book' }, asRole('guest'));
    await app.send('resources/read', { uri: 'books://secret' }, asRole('guest'));
    await app.send('resources/templates/list', {}, asRole('guest'));
    const book = { kind: 'template', name: 'book', uri: 'books://{shelf}/book' };
    expect(asked.map(({ phase, component, auth }) => ({ phase, component, auth }))).toEqual([
      { phase: 'invocation', component: { ...book, requestedUri: 'books://a/book' }, auth: { role: 'guest' } },
      {
        phase: 'invocation',
        component: { kind: 'resource', name: 'secret_book', uri: 'books://secret' },
        auth: { role: 'guest' },
      },
      { phase: 'discovery', component: book, auth: { role: 'guest' } },
    ]);
    expect((asked[0]?.request as WebRequest | undefined)?.mcpAuth).toEqual({ role: 'guest' });
  });

  it('drops watched resources, and keeps those that nothing answers', async () => {
    await using app = await ListenedApp.serve(libraryApp({ policy: recorded(hides) }), adapter);
    const uris = ['books://secret', 'books://secret/book', 'books://a/book', 'books://nothing/here/secret'];
    using stream = await app.listen({ resourceSubscriptions: uris });
    expect(stream.messages[0]?.params?.['notifications']).toEqual({ resourceSubscriptions: uris.slice(2) });
  });

  it.each(['books://13/book', 'BOOKS://13/book', 'books://%31%33/book', 'books://1%33/book'])(
    'is told one spelling of %s, whether it is read or watched',
    async (uri) => {
      const decide: Decide = ({ component }) => component.requestedUri !== 'books://13/book';
      await using app = await ListenedApp.serve(libraryApp({ policy: recorded(decide) }), adapter);
      asked.length = 0;
      expect((await app.send('resources/read', { uri })).message.error).toMatchObject({ code: 403 });
      const { message } = await app.send('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });
      expect(message.result).toMatchObject({ resultType: 'complete' });
      expect(asked.map(({ component }) => component.requestedUri)).toEqual(['books://13/book', 'books://13/book']);
    },
  );

  it('may answer a whole list at once', async () => {
    class Batch extends McpPolicy {
      decide(): boolean {
        throw new Error('not asked one by one');
      }

      override decideAll(questions: readonly PolicyQuestion[]): boolean[] {
        return questions.map((question) => hides(question) === true);
      }
    }
    await using app = await open({ policy: new Batch() });
    expect(await toolsOf(app)).toEqual(['known']);
  });
});

@Injectable()
class Rules {
  readonly chief = 'chief';
}

@Injectable()
class InjectedPolicy extends McpPolicy {
  constructor(private readonly rules: Rules) {
    super();
  }

  decide(question: PolicyQuestion): boolean {
    return (question.auth as { role?: string } | undefined)?.role === this.rules.chief;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedPolicy extends McpPolicy {
  constructor(@Inject(REQUEST) private readonly request: WebRequest) {
    super();
  }

  decide(): boolean {
    return (this.request.mcpAuth as { role?: string } | undefined)?.role === 'chief';
  }
}

describe.each(ADAPTERS)('the policy on $name', (adapter) => {
  it.each<readonly [string, McpModuleOptions['auth'], readonly Provider[]]>([
    ['a class that a module provides', { policy: InjectedPolicy }, [InjectedPolicy, Rules]],
    ['a class that each request gets anew', { policy: ScopedPolicy }, [ScopedPolicy]],
    [
      'what is provided under McpPolicy',
      { policy: McpPolicy },
      [{ provide: McpPolicy, useClass: InjectedPolicy }, Rules],
    ],
    ['what is provided, without an option', {}, [{ provide: McpPolicy, useClass: InjectedPolicy }, Rules]],
  ])('is %s', async (_name, auth, providers) => {
    await using app = await serve(libraryApp(auth, providers), adapter);
    expect(await toolsOf(app, 'guest')).toEqual([]);
    expect(await toolsOf(app, 'chief')).toEqual(['secret', 'known']);
    expect((await app.call('known', {}, asRole('guest'))).message.error.code).toBe(403);
    expect((await app.call('known', {}, asRole('chief'))).text).toContain('reached');
  });
});

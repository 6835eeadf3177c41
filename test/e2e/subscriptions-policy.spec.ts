import { AsyncLocalStorage } from 'node:async_hooks';

import { describe, expect, it } from '@jest/globals';
import {
  ForbiddenException,
  Injectable,
  ServiceUnavailableException,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';

import {
  McpPolicy,
  McpProtocolError,
  Resource,
  type McpSubscriptionOptions,
  type PolicyDecision,
  type PolicyQuestion,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { Gate } from '../support/gate.js';
import { EVERYTHING, ListenedApp, story, townApp, type TownOptions } from '../support/listening.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { referenceOf } from '../support/reference.js';
import type { SseStream } from '../support/sse-stream.js';

type Watching = (uri: string, question: PolicyQuestion) => PolicyDecision | Promise<PolicyDecision>;

/** Decides by the URI that is watched. */
class WatchingPolicy extends McpPolicy {
  constructor(private readonly watching: Watching) {
    super();
  }

  decide(question: PolicyQuestion): PolicyDecision | Promise<PolicyDecision> {
    return this.watching(question.component.requestedUri ?? '', question);
  }
}

/** More places than the town has. */
@Injectable()
class Places {
  @Resource({ uri: 'demo://b', description: 'Another place' })
  other(): string {
    return 'b';
  }

  @Resource({ uri: 'demo://secret', description: 'A place for few' })
  secret(): string {
    return 's';
  }
}

interface CallerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  mcpAuth?: { readonly role: string };
}

/** Stands for any guard that knows its callers. */
@Injectable()
class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { 'x-role': role } = request.headers;
    if (role !== undefined) request.mcpAuth = { role };
    return role !== undefined;
  }
}

const roleOf = ({ auth }: PolicyQuestion): unknown => (auth as { role?: unknown } | undefined)?.role;
const honoured = ({ messages }: SseStream): unknown => messages[0]?.params?.['notifications'];
const by = (watching: Watching, options: TownOptions = {}): ReturnType<typeof townApp> =>
  townApp({ ...options, auth: { policy: new WatchingPolicy(watching) } }, { providers: [Places] });
const WANTED = { toolsListChanged: true, resourceSubscriptions: ['demo://secret', 'demo://a'] } as const;

describe.each(ADAPTERS)('who may watch what on $name', (adapter) => {
  it.each<readonly [string, Watching]>([
    ['at once', (uri, caller) => roleOf(caller) === 'admin' || uri !== 'demo://secret'],
    ['later', async (uri, caller) => Promise.resolve(roleOf(caller) === 'admin' || uri !== 'demo://secret')],
    [
      'at once or later',
      (uri, caller) => roleOf(caller) === 'admin' || (uri === 'demo://a' ? Promise.resolve(true) : false),
    ],
  ])('is decided %s, by what a guard knows', async (_name, watching) => {
    await using app = await ListenedApp.serve(by(watching, { http: { guards: [RoleGuard] } }), adapter);
    const as = (role: string): Promise<SseStream> => app.listen(WANTED, { headers: { 'x-role': role } });
    const [guest, admin] = [await as('guest'), await as('admin')];
    expect(honoured(guest)).toEqual({ toolsListChanged: true, resourceSubscriptions: ['demo://a'] });
    expect(honoured(admin)).toEqual(WANTED);
    for (const uri of WANTED.resourceSubscriptions) await app.notifier.resourceUpdated(uri);
    await app.app.close();
    expect(await story(guest)).toEqual(['acknowledged', 'demo://a', 'complete']);
    expect(await story(admin)).toEqual(['acknowledged', 'demo://secret', 'demo://a', 'complete']);
  });

  it('is not decided by what a client says of itself', async () => {
    const watching: Watching = (_uri, caller) => roleOf(caller) === 'admin';
    await using app = await ListenedApp.serve(by(watching), adapter);
    const stream = await app.listen(WANTED, {
      headers: { 'x-role': 'admin' },
      meta: { mcpAuth: { role: 'admin' }, 'com.example/auth': { role: 'admin' } },
    });
    expect(honoured(stream)).toEqual({ toolsListChanged: true });
    stream.destroy();
  });

  it('refuses a subscription with no remaining filter', async () => {
    await using app = await ListenedApp.serve(
      by(() => false),
      adapter,
    );
    const stream = await app.open({ resourceSubscriptions: ['demo://a'] });
    expect(await story(stream)).toEqual(['acknowledged', 'complete']);
    expect(honoured(stream)).toEqual({});
  });

  it.each(['yes', 1, {}, undefined, null])('is not decided by the invalid value %j', async (verdict) => {
    const watching = (uri: string): never => (uri === 'demo://a' ? Promise.resolve(verdict) : verdict) as never;
    await using app = await ListenedApp.serve(by(watching), adapter);
    const answer = await app.send('subscriptions/listen', { notifications: WANTED });
    expect(answer.message.error.code).toBe(-32603);
    expect(app.listeners).toBe(0);
  });

  it('is not sent to a client that is refused with a message', async () => {
    await using app = await ListenedApp.serve(
      by((uri) => uri === 'demo://a' || { refused: 'Not for guests' }),
      adapter,
    );
    using stream = await app.listen(WANTED);
    expect(honoured(stream)).toEqual({ toolsListChanged: true, resourceSubscriptions: ['demo://a'] });
  });

  it('is asked of the request that the guards saw, once for each resource', async () => {
    const asked: unknown[] = [];
    const watching: Watching = (uri, { request }) => {
      asked.push([uri, (request as CallerRequest).headers['x-role']]);
      return true;
    };
    await using app = await ListenedApp.serve(by(watching), adapter);
    using stream = await app.listen(WANTED, { headers: { 'x-role': 'guest' } });
    expect(honoured(stream)).toEqual(WANTED);
    expect(asked).toEqual(WANTED.resourceSubscriptions.map((uri) => [uri, 'guest']));
  });

  it.each([
    ['is asked about a fixed URI as it is declared', 'demo://a', ['demo://a']],
    ['is not asked about what nothing answers', 'demo://caf%c3%a9', []],
  ])('%s', async (_what, uri, questions) => {
    const asked: string[] = [];
    const watching: Watching = (wanted) => asked.push(wanted) > 0;
    await using app = await ListenedApp.serve(by(watching), adapter);
    using stream = await app.listen({ resourceSubscriptions: [uri] });
    expect(honoured(stream)).toEqual({ resourceSubscriptions: [uri] });
    expect(asked).toEqual(questions);
  });

  it('is not asked about lists', async () => {
    const watching: Watching = () => {
      throw new Error('not asked');
    };
    await using app = await ListenedApp.serve(by(watching), adapter);
    using stream = await app.listen(EVERYTHING);
    expect(honoured(stream)).toEqual(EVERYTHING);
  });
});

const later =
  (error: unknown): Watching =>
  async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw error;
  };
const atOnce =
  (error: unknown): Watching =>
  () => {
    throw error;
  };

describe.each(ADAPTERS)('a policy that fails on $name', (adapter) => {
  it.each([
    ['something unknown', new Error('a detail that must stay inside')],
    ['a failure of the app', new ServiceUnavailableException('a detail that must stay inside')],
    ['a refusal of HTTP', new ForbiddenException('a detail that must stay inside')],
    ['an error of the protocol', new McpProtocolError(-32_050, 'a detail that must stay inside')],
    ['no error at all', 'a detail that must stay inside'],
  ])('with %s hides it, refers to the log, and opens nothing', async (_name, error) => {
    for (const watching of [atOnce(error), later(error)]) {
      const log = new CapturedLog();
      const configure = log.attach.bind(log);
      await using app = await ListenedApp.serve(by(watching), adapter, { configure });
      const answer = await app.send('subscriptions/listen', { notifications: WANTED }, { id: 0 });
      expect([answer.message.id, answer.message.error.code]).toEqual([0, -32603]);
      expect(answer.text).not.toContain('detail');
      expect(answer.messages).toHaveLength(1);
      const reference = referenceOf(answer.message);
      expect(log.texts('error').filter((text) => text.includes(reference))).toHaveLength(1);
      expect(app.listeners).toBe(0);
    }
  });
});

describe.each(ADAPTERS)('a policy that takes its time on $name', (adapter) => {
  const slow = (): { readonly asked: Gate; readonly verdict: Gate<boolean>; readonly watching: Watching } => {
    const [asked, verdict] = [new Gate(), new Gate<boolean>()];
    return {
      asked,
      verdict,
      watching: () => {
        asked.open();
        return verdict.opened;
      },
    };
  };

  it('holds the place of its subscription, and frees it when the client leaves', async () => {
    const { asked, verdict, watching } = slow();
    await using app = await ListenedApp.serve(by(watching), adapter);
    using connection = await RawConnection.open(app.origin);
    const posted = mcpRequest('subscriptions/listen', { notifications: WANTED });
    connection.send({ headers: linesOf(posted), body: posted.body });
    await asked.opened;
    expect(app.listeners).toBe(1);
    connection.destroy();
    await app.holds(0);
    verdict.open(true);
    await app.notifier.toolsChanged();
  });

  it('ends its subscription well when the app closes meanwhile', async () => {
    const { asked, verdict, watching } = slow();
    await using app = await ListenedApp.serve(by(watching), adapter);
    const opening = app.open(WANTED);
    await asked.opened;
    const closing = app.app.close();
    verdict.open(true);
    expect(await story(await opening)).toEqual(['acknowledged', 'complete']);
    await closing;
  });
});

const storage = new AsyncLocalStorage<string>();

/** Lets in whom it has not turned against, and notes in which async context it was asked. */
@Injectable()
class FickleGuard implements CanActivate {
  static readonly refused = new Set<string>();
  static readonly contexts: unknown[] = [];

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await Promise.resolve();
    const { headers } = context.switchToHttp().getRequest<CallerRequest>();
    FickleGuard.contexts.push(`${storage.getStore()} ${headers['x-role']}`);
    return !FickleGuard.refused.has(headers['x-role'] ?? '');
  }
}

@Injectable()
@UseGuards(FickleGuard)
class Cellar {
  @Resource({ uri: 'demo://cellar', description: 'A place below' })
  cellar(): string {
    return 'wine';
  }
}

describe.each(ADAPTERS)('a subscription that is judged again on $name', (adapter) => {
  const RECHECK_MS = 10;

  /** What may be watched changes while clients listen. */
  function changing(options: McpSubscriptionOptions = {}) {
    const state = { looks: 0, watching: (_uri: string): boolean | Promise<boolean> => true };
    const subscriptions: McpSubscriptionOptions = { recheckMs: RECHECK_MS, ...options };
    const policy = new WatchingPolicy((uri) => {
      state.looks += 1;
      return state.watching(uri);
    });
    /** Resolves when everything was judged by what counts now: a round that had begun has ended, and one more has. */
    const judged = async (): Promise<void> => {
      const enough = state.looks + 6;
      while (state.looks < enough) await new Promise((resolve) => setImmediate(resolve));
    };
    return { state, judged, module: townApp({ subscriptions, auth: { policy } }, { providers: [Cellar, Places] }) };
  }

  it('receives no changes of refused resources', async () => {
    const { state, judged, module } = changing();
    await using app = await ListenedApp.serve(module, adapter);
    const stream = await app.listen({ resourceSubscriptions: ['demo://a', 'demo://b'] });
    await judged();
    for (const uri of ['demo://a', 'demo://b']) await app.notifier.resourceUpdated(uri);
    state.watching = async (uri) => Promise.resolve(uri === 'demo://b');
    await judged();
    for (const uri of ['demo://a', 'demo://b']) await app.notifier.resourceUpdated(uri);
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'demo://a', 'demo://b', 'demo://b', 'complete']);
  });

  it('ends well when nothing is left', async () => {
    const { state, judged, module } = changing();
    await using app = await ListenedApp.serve(module, adapter);
    const stream = await app.listen({ resourceSubscriptions: ['demo://a'] });
    await judged();
    state.watching = () => false;
    expect(await story(stream)).toEqual(['acknowledged', 'complete']);
    await app.holds(0);
  });

  it('continues with its lists, and is not checked again', async () => {
    const { state, judged, module } = changing();
    await using app = await ListenedApp.serve(module, adapter);
    const stream = await app.listen({ toolsListChanged: true, resourceSubscriptions: ['demo://a'] });
    const other = await app.listen({ resourceSubscriptions: ['demo://b'] });
    const asked: string[] = [];
    state.watching = (uri) => asked.push(uri) > 0 && uri === 'demo://b';
    await judged();
    await judged();
    expect(asked.filter((uri) => uri === 'demo://a')).toHaveLength(1);
    await app.notifier.resourceUpdated('demo://a');
    await app.notifier.toolsChanged();
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'tools', 'complete']);
    expect(await story(other)).toEqual(['acknowledged', 'complete']);
  });

  it.each<[string, () => boolean, number]>([
    [
      'fails',
      () => {
        throw new Error('a detail that must stay inside');
      },
      -32603,
    ],
    [
      'throws a refusal of HTTP',
      () => {
        throw new UnauthorizedException('a detail that must stay inside');
      },
      -32603,
    ],
  ])('ends with an error when its policy %s', async (_how, watching, code) => {
    const { state, judged, module } = changing();
    await using app = await ListenedApp.serve(module, adapter);
    const stream = await app.listen({ toolsListChanged: true, resourceSubscriptions: ['demo://a'] });
    await judged();
    state.watching = watching;
    const messages = await stream.whole();
    expect(messages.at(-1)?.error).toMatchObject({ code });
    expect(JSON.stringify(messages)).not.toContain('detail');
    await app.holds(0);
  });

  it('runs guards of components in the async context of its own request', async () => {
    FickleGuard.refused.clear();
    FickleGuard.contexts.length = 0;
    const { judged, module } = changing();
    await using app = await ListenedApp.serve(module, adapter, {
      configure: (nest) => {
        nest.use((request: CallerRequest, _response: unknown, next: () => void) =>
          storage.run(`context of ${request.headers['x-role']}`, next),
        );
      },
    });
    const roles = Array.from({ length: 6 }, (_, index) => `role-${index}`);
    const streams = await Promise.all(
      roles.map((role) => app.listen({ resourceSubscriptions: ['demo://cellar'] }, { headers: { 'x-role': role } })),
    );
    for (let round = 0; round < 4; round += 1) await judged();
    FickleGuard.refused.add('role-2');
    const [, , refused] = streams;
    expect(refused && (await story(refused))).toEqual(['acknowledged', 'complete']);
    await app.notifier.resourceUpdated('demo://cellar');
    await app.app.close();
    const others = await Promise.all(streams.filter((stream) => stream !== refused).map(story));
    expect(others).toEqual(Array(5).fill(['acknowledged', 'demo://cellar', 'complete']));
    expect(new Set(FickleGuard.contexts)).toEqual(new Set(roles.map((role) => `context of ${role} ${role}`)));
    expect(FickleGuard.contexts.length).toBeGreaterThan(roles.length);
  });

  it('is judged no more when its client has left', async () => {
    const { state, judged, module } = changing();
    await using app = await ListenedApp.serve(module, adapter);
    const stream = await app.listen({ resourceSubscriptions: ['demo://a'] });
    await judged();
    stream.destroy();
    await app.holds(0);
    const asked: string[] = [];
    state.watching = (uri) => asked.push(uri) > 0;
    using other = await app.listen({ resourceSubscriptions: ['demo://b'] });
    await judged();
    expect(honoured(other)).toEqual({ resourceSubscriptions: ['demo://b'] });
    expect(new Set(asked)).toEqual(new Set(['demo://b']));
  });
});

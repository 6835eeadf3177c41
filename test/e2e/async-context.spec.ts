import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  Req,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type INestApplicationContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { tap, type Observable } from 'rxjs';

import {
  ChangeBus,
  Completion,
  InMemoryChangeBus,
  McpContext,
  McpExecutor,
  McpModule,
  McpPolicy,
  McpServer,
  Prompt,
  Resource,
  Tool,
  type ChangeBusListener,
  type McpModuleOptions,
  type PolicyDecision,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { mcpRequest, type RequestParts } from '../support/mcp-request.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { SseStream } from '../support/sse-stream.js';

/** Who calls, as middleware of an app says it to everything that runs for the request. */
const store = new AsyncLocalStorage<string>();
/** Places where code ran for one caller in the context of another. */
const strangers: string[] = [];
const visited = new Set<string>();

interface Asked {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

function look(place: string, { headers }: Asked): void {
  visited.add(place);
  const [seen, expected] = [store.getStore(), headers['x-who']];
  if (seen !== expected) strangers.push(`${place}: ${seen} instead of ${expected}`);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Looks before and after it has waited. */
async function lookTwice(place: string, request: Asked): Promise<void> {
  look(place, request);
  await turn();
  look(`${place}, later`, request);
}

const requestOf = (context: ExecutionContext): Asked => context.switchToHttp().getRequest<Asked>();

@Injectable()
class LookingGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await lookTwice('guard', requestOf(context));
    return true;
  }
}

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(): boolean {
    return store.getStore() === 'admin';
  }
}

@Injectable()
class LookingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    look('interceptor', request);
    return next.handle().pipe(tap(() => look('interceptor, after', request)));
  }
}

class LookingPipe implements PipeTransform {
  transform(value: unknown): unknown {
    visited.add('pipe');
    if (store.getStore() === undefined) strangers.push('pipe: no store');
    return value;
  }
}

@Injectable()
@UseGuards(LookingGuard)
@UseInterceptors(LookingInterceptor)
class Places {
  @Tool({ description: 'Looks around', input: { type: 'object', properties: { who: { type: 'string' } } } })
  @UsePipes(LookingPipe)
  async look({ who }: { who: string }, context: McpContext): Promise<string> {
    const request = { headers: { 'x-who': who } };
    await lookTwice('tool', request);
    await context.progress(1);
    look('tool, after progress', request);
    return String(store.getStore());
  }

  @Tool({ description: 'Runs until its time is over', timeoutMs: 60 })
  async late(context: McpContext, @Req() request: Asked): Promise<string> {
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => {
        look('signal', request);
        resolve();
      });
    });
    look('tool, after its end', request);
    return 'late';
  }

  @Resource({ uri: 'places://here', description: 'Looks around' })
  async here(@Req() request: Asked): Promise<string> {
    await lookTwice('resource', request);
    return String(store.getStore());
  }

  @Prompt({ description: 'Looks around', input: { type: 'object', properties: { a: { type: 'string' } } } })
  async ask(@Req() request: Asked): Promise<string> {
    await lookTwice('prompt', request);
    return String(store.getStore());
  }

  @Completion({ prompt: 'ask', argument: 'a' })
  async complete(@Req() request: Asked): Promise<string[]> {
    await lookTwice('completion', request);
    return [String(store.getStore())];
  }
}

@Injectable()
class AdminTools {
  @Tool({ description: 'For the admin' })
  @UseGuards(AdminGuard)
  async admin(): Promise<string> {
    await turn();
    return String(store.getStore());
  }
}

class LookingPolicy extends McpPolicy {
  async decide({ request }: { request: unknown }): Promise<PolicyDecision> {
    await lookTwice('policy', request as Asked);
    return true;
  }
}

/** Shows in which context a bus is used. */
class LookingBus extends ChangeBus {
  readonly stores: unknown[] = [];
  private readonly bus = new InMemoryChangeBus();

  publish(message: Parameters<ChangeBus['publish']>[0]): void {
    this.bus.publish(message);
  }

  subscribe(listener: ChangeBusListener): () => void {
    this.stores.push(store.getStore());
    return this.bus.subscribe(listener);
  }
}

const NARROW = { maxConcurrency: 1, maxQueue: 400, maxPerOwner: 1, maxQueuedPerOwner: 400 };

function placesApp(options: Partial<McpModuleOptions> = {}): object {
  @Module({
    imports: [McpModule.forRoot({ name: 'places', version: '1.0.0', limits: NARROW, ...options })],
    providers: [Places, AdminTools],
  })
  class PlacesModule {}
  return PlacesModule;
}

const CALLS: readonly (readonly [string, (who: string) => Readonly<Record<string, unknown>>])[] = [
  ['tools/call', (who) => ({ name: 'look', arguments: { who } })],
  ['resources/read', () => ({ uri: 'places://here' })],
  ['prompts/get', () => ({ name: 'ask' })],
  ['completion/complete', () => ({ ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'a', value: '' } })],
  ['tools/list', () => ({})],
];

type Send = (method: string, params: Readonly<Record<string, unknown>>, who: string) => Promise<unknown>;

/** More of everything at the same time than there are places. */
async function crowd(send: Send, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) => `caller ${index}`).flatMap((who) =>
      CALLS.map(([method, paramsOf]) => send(method, paramsOf(who), who)),
    ),
  );
}

const EVERYWHERE = ['guard', 'interceptor', 'interceptor, after', 'pipe', 'tool, later', 'resource', 'prompt'];

describe('asynchronous context', () => {
  beforeEach(() => {
    strangers.length = 0;
    visited.clear();
  });

  const as = (who: string, parts: RequestParts = {}): RequestParts => ({ ...parts, headers: { 'x-who': who } });

  describe.each(ADAPTERS)('the asynchronous context of a request on $name', (adapter) => {
    let served: ServedApp;
    const bus = new LookingBus();

    beforeAll(async () => {
      const options = { auth: { policy: LookingPolicy }, subscriptions: { bus } };
      served = await serve(placesApp(options) as never, adapter, {
        configure: (app) => {
          app.use((request: Asked, _response: unknown, next: () => void) =>
            store.run(String(request.headers['x-who']), next),
          );
        },
      });
    });
    afterAll(() => served[Symbol.asyncDispose]());

    it('is set by its own middleware for all code of the app, however long the request was queued', async () => {
      await crowd((method, params, who) => served.send(method, params, as(who, { meta: { progressToken: who } })), 40);
      expect(strangers).toEqual([]);
      expect([...visited]).toEqual(
        expect.arrayContaining([...EVERYWHERE, 'completion', 'policy', 'tool, after progress']),
      );
    });

    it('decides who may enter, though another caller makes room', async () => {
      const callers = ['guest 1', 'guest 2', 'admin', 'guest 3', 'guest 4', 'guest 5', 'admin', 'guest 6'];
      const answers = await Promise.all(callers.map((who) => served.call('admin', {}, as(who))));
      expect(answers.map(({ status }) => status)).toEqual(callers.map((who) => (who === 'admin' ? 200 : 403)));
    });

    it('is not that in which the bus of changes is listened to', async () => {
      const { headers, body } = mcpRequest(
        'subscriptions/listen',
        { notifications: { toolsListChanged: true } },
        as('first listener'),
      );
      using stream = await SseStream.open(served.origin, { headers, body });
      await stream.until(({ messages }) => messages.length === 1);
      expect(bus.stores).toEqual([undefined]);
    });
  });

  describe('the asynchronous context of a request elsewhere', () => {
    let app: INestApplicationContext;
    let server: McpServer;

    beforeAll(async () => {
      app = await NestFactory.createApplicationContext(
        placesApp({ http: false, limits: { ...NARROW, maxConcurrency: 2 } }),
        {
          logger: false,
          abortOnError: false,
        },
      );
      server = app.get(McpServer, { strict: false });
    });
    afterAll(() => app.close());

    it('is that of its host: web-standard requests', async () => {
      const url = 'http://127.0.0.1/mcp';
      await crowd(async (method, params, who) => {
        const request = new Request(url, { method: 'POST', ...mcpRequest(method, params, as(who)) });
        await (await store.run(who, () => server.handleRequest(request))).text();
      }, 20);
      expect(strangers).toEqual([]);
      expect([...visited]).toEqual(expect.arrayContaining(EVERYWHERE));
    });

    it('is kept after its deadline, for every timer', async () => {
      const answers = await Promise.all(
        ['a', 'b'].map((who) => {
          const posted = mcpRequest('tools/call', { name: 'late' }, as(who));
          const request = new Request('http://127.0.0.1/mcp', { method: 'POST', ...posted });
          return store.run(who, () => server.handleRequest(request));
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual([504, 504]);
      expect(strangers).toEqual([]);
      expect(visited).toContain('signal');
    });

    it('is that of its host: requests of a Node server', async () => {
      const host = createServer((request, response) => {
        store.run(String(request.headers['x-who']), () => server.handleNode(request, response));
      });
      await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/mcp`;
      await crowd(async (method, params, who) => {
        await (await fetch(url, { method: 'POST', ...mcpRequest(method, params, as(who)) })).text();
      }, 20);
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
      expect(strangers).toEqual([]);
      expect([...visited]).toEqual(expect.arrayContaining(EVERYWHERE));
    });

    it('is that of its caller in the same process', async () => {
      await Promise.all(
        Array.from({ length: 40 }, (_, index) => `caller ${index}`).map((who) =>
          store.run(who, async () => {
            const client = server.connect({ headers: { 'x-who': who } });
            await Promise.all([
              client.listTools(),
              client.callTool('look', { who }),
              client.readResource('places://here'),
            ]);
          }),
        ),
      );
      expect(strangers).toEqual([]);
      expect(visited).toContain('tool, later');
      expect(app.get(McpExecutor, { strict: false }).stats()).toMatchObject({ running: 0, queued: 0 });
    });
  });
});

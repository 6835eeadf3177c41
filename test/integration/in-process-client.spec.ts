import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';

import {
  Completion,
  InjectMcp,
  log,
  McpContext,
  McpModule,
  McpNotifier,
  McpRegistry,
  McpServer,
  progress,
  Prompt,
  Resource,
  Tool,
  type McpModuleOptions,
} from '../../lib/index.js';
import {
  ClientClosedError,
  McpRequestError,
  ServerClosedError,
  ServerNotReadyError,
  type McpLogMessage,
  type McpProgress,
} from '../../lib/client/index.js';
import { askingApp } from '../support/asking-desk.module.js';
import { Gate } from '../support/gate.js';
import '../support/mcp-matchers.js';

const city = { type: 'object', properties: { city: { type: 'string' } } } as const;

@Injectable()
class Travel {
  readonly waiting = new Gate<AbortSignal>();
  readonly release = new Gate<string>();

  @Tool({ description: 'Adds', input: z.object({ a: z.number(), b: z.number() }) })
  add({ a, b }: { a: number; b: number }): { sum: number } {
    return { sum: a + b };
  }

  @Tool({ description: 'Tells what its context knows' })
  look(ctx: McpContext): object {
    return {
      auth: ctx.auth ?? null,
      hasRequest: ctx.request !== undefined,
      client: ctx.client.info ?? null,
      meta: Object.keys(ctx.meta).filter((key) => !key.includes('/')),
    };
  }

  @Tool({ description: 'Tells steps' })
  *steps(): Generator {
    yield progress(1, 2, 'half');
    yield log('debug', 'quiet');
    yield log('warning', { loud: true }, 'travel');
    yield progress(2, 2);
    yield 'arrived';
  }

  @Tool({ description: 'Fails' })
  fail(): never {
    throw new Error('a detail that must stay inside');
  }

  @Tool({ description: 'Waits' })
  wait({ signal }: McpContext): Promise<string> {
    this.waiting.open(signal);
    return this.release.opened;
  }

  @Resource({ uri: 'travel://map', description: 'A map', mimeType: 'text/plain' })
  map(): string {
    return 'here be dragons';
  }

  @Resource({ uri: 'travel://cities/{city}', description: 'A city' })
  city({ city: name }: { city: string }): { name: string } {
    return { name };
  }

  @Prompt({ description: 'Plans', input: city })
  plan({ city: name }: { city?: string }): string {
    return `Plan a journey to ${name ?? 'anywhere'}`;
  }

  @Completion({ prompt: 'plan', argument: 'city' })
  cities(value: string): string[] {
    return ['Oslo', 'Osaka', 'Rome'].filter((name) => name.startsWith(value));
  }
}

function travelModule(options: Partial<McpModuleOptions> = {}): new () => unknown {
  @Module({
    imports: [McpModule.forRoot({ name: 'travel', version: '1.2.3', http: false, pageSize: 2, ...options })],
    providers: [Travel],
  })
  class TravelModule {}
  return TravelModule;
}

/** Closes itself. */
class Started implements AsyncDisposable {
  constructor(readonly app: INestApplicationContext) {}

  static async of(module: (new () => unknown) | DynamicModule): Promise<Started> {
    return new Started(await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false }));
  }

  get server(): McpServer {
    return this.app.get(McpServer, { strict: false });
  }

  get travel(): Travel {
    return this.app.get(Travel);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.app.close();
  }
}

describe('a client in the process of its server', () => {
  it('discovers the server', async () => {
    await using started = await Started.of(travelModule({ instructions: 'Travel light.' }));
    await using client = started.server.connect();
    expect(client.protocolVersion).toBe('2026-07-28');
    expect(await client.discover()).toEqual({
      info: { name: 'travel', version: '1.2.3' },
      supportedVersions: ['2026-07-28'],
      capabilities: expect.objectContaining({ tools: { listChanged: true } }),
      instructions: 'Travel light.',
    });
  });

  it('lists all pages', async () => {
    await using started = await Started.of(travelModule());
    await using client = started.server.connect();
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(['add', 'look', 'steps', 'fail', 'wait']);
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['travel://map']);
    expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual([
      'travel://cities/{city}',
    ]);
    expect(await client.listPrompts()).toEqual([{ name: 'plan', description: 'Plans', arguments: [{ name: 'city' }] }]);
  });

  it('calls, reads, gets and completes', async () => {
    await using started = await Started.of(travelModule({ cache: { read: { ttlMs: 5, scope: 'public' } } }));
    await using client = started.server.connect();
    expect((await client.callTool('add', { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 });
    expect(await client.readResource('travel://map')).toEqual({
      contents: [{ uri: 'travel://map', mimeType: 'text/plain', text: 'here be dragons' }],
      cache: { ttlMs: 5, scope: 'public' },
    });
    expect((await client.readResource('travel://cities/Oslo')).contents[0]?.text).toBe('{"name":"Oslo"}');
    expect((await client.getPrompt('plan', { city: 'Rome' })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Plan a journey to Rome' } },
    ]);
    expect(await client.complete({ prompt: 'plan' }, { name: 'city', value: 'Os' })).toMatchObject({
      values: ['Oslo', 'Osaka'],
    });
    expect((await client.complete({ resource: 'travel://cities/{city}' }, { name: 'city', value: '' })).values).toEqual(
      [],
    );
  });

  it('gives refusals with code and data, and failed tools as results', async () => {
    await using started = await Started.of(travelModule());
    await using client = started.server.connect();
    const unknown = await client.callTool('nothing').catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(McpRequestError);
    expect(unknown).toMatchObject({ rpcCode: -32602, code: 'MCP_REQUEST_REFUSED' });
    await expect(client.readResource('travel://nowhere')).rejects.toMatchObject({ data: { uri: 'travel://nowhere' } });
    await expect(client.callTool('fail')).rejects.toMatchObject({
      rpcCode: -32603,
      message: 'Internal error',
      data: { reference: expect.any(String) },
    });
    expect(await client.callTool('add', { a: 'one' })).toMatchObject({ isError: true });
    await expect(client.request('ping')).rejects.toMatchObject({ rpcCode: -32601 });
  });

  it('receives progress and log messages only if it requested them', async () => {
    await using started = await Started.of(travelModule());
    await using client = started.server.connect();
    const heard: (McpProgress | McpLogMessage)[] = [];
    const hear = (item: McpProgress | McpLogMessage): void => void heard.push(item);
    expect(await client.callTool('steps')).toMatchObject({ content: [{ text: 'arrived' }] });
    await client.callTool('steps', {}, { onProgress: hear });
    expect(heard.splice(0)).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2 },
    ]);
    await client.callTool('steps', {}, { onLog: hear });
    expect(heard.splice(0)).toEqual([{ level: 'warning', data: { loud: true }, logger: 'travel' }]);
    await client.callTool('steps', {}, { onLog: hear, logLevel: 'debug' });
    expect(heard).toHaveLength(2);
  });

  it('ends only its own call when its progress callback throws', async () => {
    await using started = await Started.of(travelModule());
    await using client = started.server.connect();
    const failure = new Error('not interested');
    const onProgress = (): never => {
      throw failure;
    };
    await expect(client.callTool('steps', {}, { onProgress })).rejects.toBe(failure);
    expect(await client.callTool('steps')).toMatchObject({ content: [{ text: 'arrived' }] });
  });

  it('says who it is, as a guard would have', async () => {
    await using started = await Started.of(travelModule());
    const nobody = started.server.connect();
    expect((await nobody.callTool('look')).structuredContent).toEqual({
      auth: null,
      hasRequest: false,
      client: null,
      meta: [],
    });
    const ada = started.server.connect({ auth: { sub: 'ada' }, client: { name: 'spec', version: '1' } });
    expect((await ada.callTool('look', {}, { meta: { tenant: 'x' } })).structuredContent).toEqual({
      auth: { sub: 'ada' },
      hasRequest: false,
      client: { name: 'spec', version: '1' },
      meta: ['tenant'],
    });
  });

  it('cancels a call by its signal, and the handler gets the reason', async () => {
    await using started = await Started.of(travelModule());
    await using client = started.server.connect();
    const stop = new AbortController();
    const call = client.callTool('wait', {}, { signal: stop.signal });
    const signal = await started.travel.waiting.opened;
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(signal.reason).toMatchObject({ reason: 'client-gone' });
    await expect(client.callTool('add', { a: 1, b: 1 }, { signal: stop.signal })).rejects.toThrow('enough');
    started.travel.release.open('late');
  });

  it('cancels all its calls when it is closed, and takes no more', async () => {
    await using started = await Started.of(travelModule());
    const client = started.server.connect();
    const call = client.callTool('wait');
    const signal = await started.travel.waiting.opened;
    await client.close();
    await client.close();
    await expect(call).rejects.toBeInstanceOf(ClientClosedError);
    expect(signal.aborted).toBe(true);
    await expect(client.listTools()).rejects.toBeInstanceOf(ClientClosedError);
    started.travel.release.open('late');
  });

  it('refuses options that do not exist', async () => {
    await using started = await Started.of(travelModule());
    expect(() => started.server.connect({ user: 'ada' } as object)).toThrow(
      /connect\.user.*auth, headers, request, client/,
    );
    expect(() => started.server.connect({ headers: { a: 1 } as never })).toThrow(/connect\.headers\.a/);
  });
});

describe('a subscription in process', () => {
  it('delivers changes until it is closed', async () => {
    await using started = await Started.of(travelModule());
    await using client = started.server.connect();
    const subscription = await client.listen({ tools: true, uris: ['travel://map'] });
    expect(subscription.filter).toEqual({ tools: true, prompts: false, resources: false, uris: ['travel://map'] });
    await started.app.get(McpNotifier, { strict: false }).resourceUpdated('travel://map');
    expect(await subscription.next()).toEqual({
      done: false,
      value: { kind: 'resource-updated', uri: 'travel://map' },
    });
    const next = subscription.next();
    await started.app.get(McpRegistry, { strict: false }).addTool({ name: 'late', description: 'd' }, () => 'late');
    expect(await next).toEqual({ done: false, value: { kind: 'tools-changed' } });
    await subscription.close();
    expect(await subscription.next()).toEqual({ done: true, value: undefined });
  });

  it('holds no more than the queue of the server for a slow reader', async () => {
    await using started = await Started.of(travelModule({ subscriptions: { maxPendingChanges: 2 } }));
    await using client = started.server.connect();
    const uris = Array.from({ length: 10 }, (_, index) => `travel://cities/${index}`);
    const subscription = await client.listen({ uris });
    const notifier = started.app.get(McpNotifier, { strict: false });
    for (const uri of uris) await notifier.resourceUpdated(uri);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const read: (string | undefined)[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { value } = await subscription.next();
      read.push(value?.kind === 'resource-updated' ? value.uri : undefined);
    }
    expect(read).toEqual([uris[0], uris[8], uris[9]]);
  });

  it('ends with the server, and with its signal', async () => {
    const started = await Started.of(travelModule());
    const client = started.server.connect();
    const stop = new AbortController();
    const cut = await client.listen({ tools: true, signal: stop.signal });
    const whole = await client.listen({ tools: true });
    stop.abort(new Error('enough'));
    await expect(cut.next()).rejects.toThrow('enough');
    expect(await cut.next()).toMatchObject({ done: true });
    const changes: unknown[] = [];
    const reading = (async () => {
      for await (const change of whole) changes.push(change);
    })();
    await started.app.close();
    await reading;
    expect(changes).toEqual([]);
  });

  it('rejects where the server has none', async () => {
    await using started = await Started.of(travelModule({ subscriptions: false }));
    await using client = started.server.connect();
    await expect(client.listen({ tools: true })).rejects.toMatchObject({ rpcCode: -32601 });
  });
});

describe('the app around it', () => {
  @Injectable()
  class Early {
    failure: unknown;

    constructor(@InjectMcp(McpServer) private readonly server: McpServer) {}

    async onModuleInit(): Promise<void> {
      this.failure = await this.server
        .connect()
        .listTools()
        .catch((error: unknown) => error);
    }
  }

  it('is not called before it has started, since its guards are not complete', async () => {
    @Module({ imports: [travelModule()], providers: [Early] })
    class EarlyModule {}
    @Module({
      imports: [McpModule.forRoot({ name: 'early', version: '1', http: false, isGlobal: true }), EarlyModule],
    })
    class AppModule {}
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false }).catch(
      (error: unknown) => error,
    );
    // Two servers of one name, so each test has its own.
    expect(app).toMatchObject({ code: 'MCP_INVALID_OPTIONS' });

    @Module({
      imports: [McpModule.forRoot({ name: 'early', version: '1', http: false })],
      providers: [Early, Travel],
    })
    class OnlyModule {}
    await using started = await Started.of(OnlyModule);
    expect(started.app.get(Early).failure).toBeInstanceOf(ServerNotReadyError);
  });

  it('waits for calls that run, then ends them, and takes none afterwards', async () => {
    const started = await Started.of(travelModule({ limits: { drainTimeoutMs: 60_000 } }));
    const client = started.server.connect();
    const call = client.callTool('wait');
    await started.travel.waiting.opened;
    const closing = started.app.close();
    started.travel.release.open('in time');
    expect(await call).toMatchObject({ content: [{ text: 'in time' }] });
    await closing;
    await expect(client.callTool('look')).rejects.toBeInstanceOf(ServerClosedError);
  });

  it('rejects requests while it closes', async () => {
    const started = await Started.of(travelModule({ limits: { drainTimeoutMs: 1 } }));
    const client = started.server.connect();
    const call = client.callTool('wait');
    const signal = await started.travel.waiting.opened;
    const [ended] = await Promise.all([call.catch((error: unknown) => error), started.app.close()]);
    expect(ended).toMatchObject({ rpcCode: -32603, message: 'The server is shutting down' });
    expect(signal.reason).toMatchObject({ reason: 'shutdown' });
    started.travel.release.open('late');
  });
});

describe('questions in process', () => {
  const inputs = {
    elicit: ({ key }: { key: string }) => ({ action: 'accept' as const, content: { name: `by ${key}` } }),
    elicitUrl: () => ({ action: 'accept' as const }),
    sample: () => ({ role: 'assistant' as const, content: { type: 'text' as const, text: 'a' }, model: 'muse' }),
    roots: () => [{ uri: 'file:///a' as const }],
  };

  it('are answered by handlers, round after round', async () => {
    await using started = await Started.of(askingApp({ http: false }));
    await using client = started.server.connect({ inputs });
    await expect(client.callTool('interview')).toBeToolText('by name, muse, 1 roots, accept');
    expect((await client.getPrompt('essay')).messages[0]?.content).toMatchObject({ text: 'An essay on by topic' });
    expect((await client.readResource('desk://drawer')).contents[0]?.text).toBe('The drawer is open');
  });

  it('are refused by the server where nothing answers them', async () => {
    await using started = await Started.of(askingApp({ http: false }));
    await using client = started.server.connect({ inputs: { roots: inputs.roots } });
    await expect(client.callTool('transfer', { amount: 1 })).toBeRefused({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  it('fail their call, and nothing else, when a handler fails', async () => {
    await using started = await Started.of(askingApp({ http: false }));
    const elicit = (): never => {
      throw new Error('no user');
    };
    await using client = started.server.connect({ inputs: { ...inputs, elicit } });
    await expect(client.callTool('interview')).rejects.toThrow('no user');
    await expect(client.listTools()).toList('interview');
  });
});

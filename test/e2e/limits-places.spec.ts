import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';

import { McpExecutor, McpModule, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { mcpRequest, type RequestParts } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve, ServedApp } from '../support/served-app.js';
import { statsOf, until, Workshop, workshopApp } from '../support/workshop.module.js';

const NOTHING = { running: 0, queued: 0, abandoned: 0, owners: 0, slots: {} };

async function leave(served: ServedApp, tool: string, name: string): Promise<RawConnection> {
  const posted = mcpRequest('tools/call', { name: tool, arguments: { name } });
  const connection = await RawConnection.open(served.origin);
  connection.send({ headers: linesOf(posted), body: posted.body });
  return connection;
}

describe.each(ADAPTERS)('places to run on $name', (adapter) => {
  it('run out: calls without place and queue get 503, and nothing else is affected', async () => {
    await using served = await serve(workshopApp({ limits: { maxConcurrency: 1, maxQueue: 1 } }), adapter);
    const workshop = served.app.get(Workshop);
    const first = served.call('hold', { name: 'first' });
    const running = await workshop.started('first');
    const second = served.call('hold', { name: 'second' });
    await until(() => statsOf(served).queued === 1);
    const third = await served.call('hold', { name: 'third' }, { id: 'third' });
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1']);
    expect(third.message).toMatchObject({
      id: 'third',
      error: { code: -32603, message: expect.stringMatching(/busy/) },
    });
    // What needs no place does not wait for one.
    expect((await served.send('tools/list')).status).toBe(200);
    expect((await served.send('server/discover')).status).toBe(200);
    running.release.open('one');
    (await workshop.started('second')).release.open('two');
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(workshop.held.has('third')).toBe(false);
    expect(statsOf(served)).toMatchObject(NOTHING);
  });

  it('may be without a queue', async () => {
    await using served = await serve(workshopApp({ limits: { maxConcurrency: 1, maxQueue: 0 } }), adapter);
    const workshop = served.app.get(Workshop);
    const first = served.call('hold', { name: 'first' });
    const running = await workshop.started('first');
    expect((await served.call('ping')).status).toBe(503);
    running.release.open('done');
    expect((await first).status).toBe(200);
    expect((await served.call('ping')).status).toBe(200);
  });

  it('are given in the order of arrival', async () => {
    await using served = await serve(workshopApp({ limits: { maxConcurrency: 1 } }), adapter);
    const workshop = served.app.get(Workshop);
    const names = ['a', 'b', 'c', 'd'];
    const calls: Promise<unknown>[] = [];
    for (const [index, name] of names.entries()) {
      calls.push(served.call('hold', { name }));
      await until(() => statsOf(served).running + statsOf(served).queued === index + 1);
    }
    for (const name of names) {
      const { release } = await workshop.started(name);
      expect([...workshop.held.keys()].at(-1)).toBe(name);
      release.open(name);
    }
    await Promise.all(calls);
  });

  it('are not taken by a client that left while it waited', async () => {
    await using served = await serve(workshopApp({ limits: { maxConcurrency: 1 } }), adapter);
    const workshop = served.app.get(Workshop);
    const first = served.call('hold', { name: 'first' });
    const running = await workshop.started('first');
    const left = await leave(served, 'hold', 'left');
    await until(() => statsOf(served).queued === 1);
    left[Symbol.dispose]();
    await until(() => statsOf(served).queued === 0);
    running.release.open('done');
    await first;
    expect((await served.call('ping')).status).toBe(200);
    expect(workshop.held.has('left')).toBe(false);
  });

  it('come back when a handler ignores its end for too long', async () => {
    const limits = { maxConcurrency: 2, maxQueue: 0, maxPerOwner: 1, abandonAfterMs: 30 };
    await using served = await serve(workshopApp({ limits }), adapter);
    const workshop = served.app.get(Workshop);
    const left = await leave(served, 'hold', 'deaf');
    const deaf = await workshop.started('deaf');
    left[Symbol.dispose]();
    await deaf.aborted.opened;
    await until(() => statsOf(served).abandoned === 1);
    expect(statsOf(served)).toMatchObject({ running: 0, abandoned: 1 });
    expect((await served.call('ping')).status).toBe(200);
    deaf.release.open('at last');
    await until(() => statsOf(served).abandoned === 0);
    expect(statsOf(served)).toMatchObject(NOTHING);
  });
});

/** Tells who calls by a header, as a guard that has verified a token would. */
class HeaderGuard implements CanActivate {
  canActivate(context: Parameters<CanActivate['canActivate']>[0]): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; mcpAuth?: unknown }>();
    const caller = request.headers['x-caller'];
    if (caller !== undefined) request.mcpAuth = { sub: caller };
    return true;
  }
}

describe.each(ADAPTERS)('callers beside each other on $name', (adapter) => {
  it('take turns, so that none of them can starve the others', async () => {
    const options = { limits: { maxConcurrency: 4, maxQueue: 8, maxPerOwner: 2 }, http: { guards: [HeaderGuard] } };
    await using served = await serve(workshopApp(options), adapter);
    const workshop = served.app.get(Workshop);
    const call = (caller: string, name: string): Promise<{ readonly status: number }> =>
      served.call('hold', { name }, { headers: { 'x-caller': caller } });
    const greedy = Array.from({ length: 6 }, (_, index) => call('greedy', `greedy ${index}`));
    await until(() => statsOf(served).queued === 4);
    // Half of the places and half of the queue are left.
    expect(statsOf(served).running).toBe(2);
    expect((await call('greedy', 'one too many')).status).toBe(503);
    const modest = call('modest', 'modest');
    const { release } = await workshop.started('modest');
    release.open('done');
    expect((await modest).status).toBe(200);
    for (const index of greedy.keys()) (await workshop.started(`greedy ${index}`)).release.open('done');
    expect((await Promise.all(greedy)).map(({ status }) => status)).toEqual(greedy.map(() => 200));
    expect(statsOf(served)).toMatchObject(NOTHING);
  });
});

/** Guards that wait until they are told, and how many do at most. */
class Waiting implements CanActivate {
  static readonly gate = { opened: Promise.resolve() };
  static now = 0;
  static most = 0;

  async canActivate(): Promise<boolean> {
    Waiting.now += 1;
    Waiting.most = Math.max(Waiting.most, Waiting.now);
    await Waiting.gate.opened;
    Waiting.now -= 1;
    return true;
  }
}

@Injectable()
@UseGuards(Waiting)
class Guarded {
  @Tool({ description: 'Is guarded' })
  first(): string {
    return '1';
  }

  @Tool({ description: 'Is guarded' })
  second(): string {
    return '2';
  }
}

describe.each(ADAPTERS)('one caller on $name', (adapter) => {
  const by = (caller: string): RequestParts => ({ headers: { 'x-caller': caller } });
  const guarded = { http: { guards: [HeaderGuard] } };

  it('blocks no other caller with calls that ignore their end, only itself until they settle', async () => {
    const limits = { maxConcurrency: 4, maxQueue: 4, abandonAfterMs: 10 };
    await using served = await serve(workshopApp({ limits, ...guarded }), adapter);
    const workshop = served.app.get(Workshop);
    const deaf = await Promise.all(['a', 'b'].map((name) => served.call('brief', { name }, by('greedy'))));
    expect(deaf.map(({ status }) => status)).toEqual([504, 504]);
    await until(() => statsOf(served).abandoned === 2);
    expect((await served.call('ping', {}, by('greedy'))).status).toBe(503);
    const others = await Promise.all(['x', 'y', 'z'].map((name) => served.call('ping', {}, by(name))));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const name of ['a', 'b']) (await workshop.started(name)).release.open('at last');
    await until(() => statsOf(served).abandoned === 0);
    expect((await served.call('ping', {}, by('greedy'))).status).toBe(200);
  });

  it('gives room in a full queue to one who has less there', async () => {
    const limits = { maxConcurrency: 1, maxQueue: 3, maxQueuedPerOwner: 3 };
    await using served = await serve(workshopApp({ limits, ...guarded }), adapter);
    const workshop = served.app.get(Workshop);
    const names = ['first', 'second', 'third', 'fourth'];
    const greedy: Promise<{ readonly status: number }>[] = [];
    for (const [index, name] of names.entries()) {
      greedy.push(served.call('hold', { name }, by('greedy')));
      await until(() => statsOf(served).running + statsOf(served).queued === index + 1);
    }
    const modest = served.call('hold', { name: 'modest' }, by('modest'));
    expect((await greedy[3])?.status).toBe(503);
    expect(statsOf(served).queued).toBe(3);
    for (const name of ['first', 'modest', 'second', 'third']) (await workshop.started(name)).release.open(name);
    expect((await modest).status).toBe(200);
    expect((await Promise.all(greedy)).map(({ status }) => status)).toEqual([200, 200, 200, 503]);
  });

  it('is accepted although anonymous connections hold all available places', async () => {
    const limits = { maxConcurrency: 2, maxQueue: 2 };
    await using served = await serve(workshopApp({ limits, ...guarded }), adapter);
    const workshop = served.app.get(Workshop);
    const holders = await Promise.all(['a', 'b', 'c', 'd'].map((name) => leave(served, 'hold', name)));
    await until(() => statsOf(served).running === 2 && statsOf(served).queued === 2);
    const known = served.call('ping', {}, by('ada'));
    const displaced = await Promise.race(holders.map((holder) => holder.answer()));
    expect(displaced.status).toBe(503);
    for (const running of [...workshop.held.values()]) running.release.open('done');
    expect((await known).status).toBe(200);
    for (const holder of holders) holder[Symbol.dispose]();
    for (const name of ['a', 'b', 'c', 'd']) workshop.held.get(name)?.release.open('done');
    await until(() => statsOf(served).owners === 0);
  });

  it('has guards of 16 lists running at the same time, and 128 lists waiting', async () => {
    const app = workshopApp({ limits: { maxConcurrency: 1 }, ...guarded });
    await using served = await serve({ ...app, providers: [...(app.providers ?? []), Guarded] }, adapter);
    const gate = new Gate();
    Waiting.gate.opened = gate.opened;
    Waiting.most = 0;
    const answers: number[] = [];
    const lists = Array.from({ length: 160 }, async () => {
      const { status } = await served.send('tools/list', {}, by('greedy'));
      answers.push(status);
    });
    await until(() => answers.length === 16);
    expect(answers).toEqual(answers.map(() => 503));
    expect(statsOf(served)).toMatchObject({ controlRunning: 16, controlQueued: 128, running: 0, queued: 0 });
    const others = ['x', 'y'].map((name) => served.send('tools/list', {}, by(name)));
    await until(() => statsOf(served).controlRunning === 18);
    expect(Waiting.most).toBe(18 * 2);
    gate.open();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(lists);
    expect(answers.filter((status) => status === 200)).toHaveLength(144);
    expect(statsOf(served)).toMatchObject({ controlRunning: 0, controlQueued: 0, owners: 0 });
  });
});

@Injectable()
class SecondWorkshop extends Workshop {}

const idle: Parameters<McpExecutor['submit']>[0] = {
  lane: 'work',
  owner: undefined,
  timeoutMs: 1_000,
  start: (ticket) => ticket.finish(),
  stop: () => undefined,
};

describe.each(ADAPTERS)('a separate executor on $name', (adapter) => {
  it('bounds the work of several servers together', async () => {
    const executor = new McpExecutor({ maxConcurrency: 1, maxQueue: 0 });
    @Module({
      imports: [
        McpModule.forRoot({ name: 'one', version: '1.0.0', executor }),
        McpModule.forRoot({ name: 'two', version: '1.0.0', executor, server: 'two', path: '/two' }),
        McpModule.forFeature({ server: 'two', providers: [SecondWorkshop] }),
      ],
      providers: [Workshop],
    })
    class TwoServers {}
    await using served = await serve(TwoServers, adapter);
    const second = new ServedApp(served.app, served.origin, '/two');
    const first = served.call('hold', { name: 'first' });
    const { release } = await served.app.get(Workshop).started('first');
    expect(executor.stats().running).toBe(1);
    expect((await second.send('tools/list')).status).toBe(200);
    expect((await second.call('ping')).status).toBe(503);
    release.open('done');
    await first;
    expect((await second.call('ping')).status).toBe(200);
    await served.app.close();
    // It belongs to whoever made it.
    expect(typeof executor.submit(idle)).toBe('object');
    executor.close();
    expect(executor.submit(idle)).toBe('closed');
  });
});

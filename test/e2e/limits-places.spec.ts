import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type CanActivate } from '@nestjs/common';

import { McpExecutor, McpModule } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
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
  it('run out: what finds neither place nor queue is told to come back, and nothing else is affected', async () => {
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

  it('come back when a handler ignores its end for too long, until too many do', async () => {
    const limits = { maxConcurrency: 1, maxQueue: 0, abandonAfterMs: 30, maxAbandoned: 1 };
    await using served = await serve(workshopApp({ limits }), adapter);
    const workshop = served.app.get(Workshop);
    const left = await leave(served, 'hold', 'deaf');
    const deaf = await workshop.started('deaf');
    left[Symbol.dispose]();
    await deaf.aborted.opened;
    await until(() => statsOf(served).abandoned === 1);
    expect(statsOf(served)).toMatchObject({ running: 0, abandoned: 1 });
    expect((await served.call('ping')).status).toBe(503);
    deaf.release.open('at last');
    await until(() => statsOf(served).abandoned === 0);
    expect((await served.call('ping')).status).toBe(200);
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

@Injectable()
class SecondWorkshop extends Workshop {}

const idle: Parameters<McpExecutor['submit']>[0] = {
  lane: 'work',
  owner: undefined,
  timeoutMs: 1_000,
  start: (ticket) => ticket.finish(),
  stop: () => undefined,
};

describe.each(ADAPTERS)('an executor of its own on $name', (adapter) => {
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

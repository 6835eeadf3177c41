import { describe, expect, it } from '@jest/globals';
import { BadRequestException, Injectable, Module } from '@nestjs/common';

import { getMcpToken, McpHealthIndicator, McpMetrics, McpModule, Tool, type McpHealth } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';
import { statsOf, until, Workshop, workshopApp } from '../support/workshop.module.js';

@Injectable()
class Desk {
  @Tool({ description: 'Works' })
  work(): string {
    return 'done';
  }

  @Tool({ description: 'Declines' })
  decline(): string {
    throw new BadRequestException('not today');
  }

  @Tool({ description: 'Breaks' })
  break(): string {
    throw new Error('secret');
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'desk', version: '1.0.0' })], providers: [Desk] })
class DeskApp {}

describe.each(ADAPTERS)('metrics on $name', (adapter) => {
  it('count how requests end, and each that failed has a line in the log', async () => {
    const log = new CapturedLog();
    await using served = await serve(DeskApp, adapter, { configure: (app) => log.attach(app) });
    for (const tool of ['work', 'work', 'decline']) await served.call(tool);
    const broken = await served.call('break');
    await served.call('secret');
    await served.send('tools/list');
    await served.send('secret/method');
    await served.post({ headers: { 'content-type': 'application/json' }, body: '{"secret"' });
    const { requests, refused, executor, subscriptions } = served.app.get(McpMetrics).snapshot();
    expect(requests['call-tool']).toMatchObject({
      ...{ completed: 2, toolErrors: 1, inputRequired: 0, cancelled: 0 },
      faults: { internal: 1, 'unknown-component': 1 },
      durations: { count: 5 },
    });
    expect(requests['call-tool']?.durations.maxMs).toBeGreaterThan(0);
    expect(requests.list).toMatchObject({ completed: 1, faults: {} });
    expect(Object.values(refused)).toEqual([1, 1]);
    expect(refused).toHaveProperty('404', 1);
    expect([executor.running, subscriptions.listeners]).toEqual([0, 0]);
    const lines = log.lines.filter(({ context }) => context === 'McpRequests').map(({ text }) => text);
    expect(lines.map((line) => line.replace(/after \d+ ms/, 'after n ms'))).toEqual([
      `call-tool "break": internal after n ms [${broken.message.error?.data?.['reference'] as unknown as string}]`,
      'call-tool: unknown-component after n ms',
      'A request was refused with status 404',
      expect.stringMatching(/^A request was refused with status 4\d\d$/),
    ]);
    expect(lines.join()).not.toContain('secret');
  });

  it('count requests that never reached a handler, and requests whose client left', async () => {
    await using served = await serve(workshopApp({ limits: { maxConcurrency: 1, maxQueue: 0 } }), adapter);
    const workshop = served.app.get(Workshop);
    const metrics = served.app.get<McpMetrics>(getMcpToken(McpMetrics), { strict: false });
    const posted = mcpRequest('tools/call', { name: 'obey', arguments: { name: 'left' } });
    const leaving = await RawConnection.open(served.origin);
    leaving.send({ headers: linesOf(posted), body: posted.body });
    await workshop.started('left');
    expect((await served.call('ping')).status).toBe(503);
    leaving[Symbol.dispose]();
    await until(() => statsOf(served).running === 0);
    expect((await served.call('brief', { name: 'late' })).status).toBe(504);
    workshop.held.get('late')?.release.open('done');
    expect(metrics.snapshot().requests['call-tool']).toMatchObject({
      ...{ completed: 0, cancelled: 1, faults: { overloaded: 1, deadline: 1 } },
      durations: { count: 3 },
    });
  });

  it('count subscriptions separately', async () => {
    await using served = await serve(DeskApp, adapter);
    const metrics = served.app.get(McpMetrics);
    const posted = mcpRequest('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const listening = await RawConnection.open(served.origin);
    listening.send({ headers: linesOf(posted), body: posted.body });
    await until(() => metrics.snapshot().subscriptions.listeners === 1);
    listening[Symbol.dispose]();
    await until(() => metrics.snapshot().requests.listen !== undefined);
    expect(metrics.snapshot().requests).toMatchObject({ listen: { cancelled: 1, durations: { count: 1 } } });
    expect(metrics.snapshot().requests.discover).toBeUndefined();
  });
});

describe.each(ADAPTERS)('health on $name', (adapter) => {
  it('is up while there is room, and down while there is little or the app closes', async () => {
    await using served = await serve(workshopApp({ limits: { maxConcurrency: 1, maxQueue: 1 } }), adapter);
    const workshop = served.app.get(Workshop);
    const health = served.app.get<McpHealthIndicator>(getMcpToken(McpHealthIndicator), { strict: false });
    const now = (): McpHealth => health.isHealthy('shop').shop;
    expect(now()).toEqual({ status: 'up', running: 0, queued: 0, abandoned: 0, subscriptions: 0, components: 6 });
    const calls = [served.call('hold', { name: 'first' })];
    const running = await workshop.started('first');
    expect(now()).toMatchObject({ status: 'up', running: 1 });
    calls.push(served.call('ping'));
    await until(() => statsOf(served).queued === 1);
    expect(now()).toMatchObject({ status: 'down', reason: 'More than half of the queue is taken.', queued: 1 });
    running.release.open('done');
    await Promise.all(calls);
    expect(now().status).toBe('up');
    await served.app.close();
    expect(now()).toMatchObject({ status: 'down', reason: 'The app is closing.' });
  });
});

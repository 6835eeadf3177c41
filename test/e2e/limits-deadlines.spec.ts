import { describe, expect, it } from '@jest/globals';

import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { serve } from '../support/served-app.js';
import { statsOf, until, Workshop, workshopApp } from '../support/workshop.module.js';

const NOTHING = { running: 0, queued: 0, abandoned: 0, owners: 0, slots: {} };
const cancelled = (reason: string): object => expect.objectContaining({ code: 'MCP_CALL_CANCELLED', reason });

describe.each(ADAPTERS)('the deadline of a call on $name', (adapter) => {
  it('ends it for its client, and aborts it; the late result vanishes', async () => {
    await using served = await serve(workshopApp({ limits: { requestTimeoutMs: 40 } }), adapter);
    const answer = served.call('hold', { name: 'slow' }, { id: 'slow' });
    const { aborted, release } = await served.app.get(Workshop).started('slow');
    const { status, message } = await answer;
    expect(status).toBe(504);
    expect(message).toMatchObject({
      id: 'slow',
      error: { code: -32603, message: 'The request took longer than 40 ms' },
    });
    expect(await aborted.opened).toEqual(cancelled('deadline'));
    // Its place is taken for as long as it runs.
    expect(statsOf(served).running).toBe(1);
    release.open('late');
    await until(() => statsOf(served).running === 0);
    expect(statsOf(served)).toMatchObject(NOTHING);
    expect((await served.call('ping')).status).toBe(200);
  });

  it('is not logged: a handler that stops because of its signal has not failed', async () => {
    const log = new CapturedLog();
    const options = { limits: { requestTimeoutMs: 40 } };
    await using served = await serve(workshopApp(options), adapter, { configure: (app) => log.attach(app) });
    expect((await served.call('obey', { name: 'x' })).status).toBe(504);
    await until(() => statsOf(served).running === 0);
    expect(log.texts('error')).toEqual([]);
  });

  it.each([false, true])('holds for a handler that blocks the process, though no timer can run: %p', async (awaits) => {
    await using served = await serve(workshopApp(), adapter);
    const { status, message } = await served.call('block', { awaits });
    expect([status, message.error]).toMatchObject([504, { message: 'The request took longer than 20 ms' }]);
    expect(statsOf(served)).toMatchObject(NOTHING);
    expect((await served.call('ping')).status).toBe(200);
  });

  it('counts the wait for its turn, and then the handler never runs', async () => {
    const limits = { maxConcurrency: 1, requestTimeoutMs: 150 };
    await using served = await serve(workshopApp({ limits }), adapter);
    const workshop = served.app.get(Workshop);
    const first = served.call('hold', { name: 'first' });
    const { release } = await workshop.started('first');
    const second = await served.call('hold', { name: 'second' });
    expect(second.status).toBe(504);
    expect([statsOf(served).queued, workshop.held.has('second')]).toEqual([0, false]);
    expect((await first).status).toBe(504);
    release.open('late');
    await until(() => statsOf(served).running === 0);
    expect(workshop.held.has('second')).toBe(false);
  });

  it('may be of one tool alone', async () => {
    await using served = await serve(workshopApp(), adapter);
    const answer = served.call('brief', { name: 'brief' });
    const { aborted, release } = await served.app.get(Workshop).started('brief');
    expect((await answer).status).toBe(504);
    expect(await aborted.opened).toEqual(cancelled('deadline'));
    release.open('late');
    await until(() => statsOf(served).running === 0);
  });

  it('is not extended by progress, and is then the last message of the stream', async () => {
    await using served = await serve(workshopApp({ limits: { requestTimeoutMs: 80 } }), adapter);
    const answer = await served.call('report', { name: 'r' }, { id: 9, meta: { progressToken: 't' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(answer.messages.length).toBeGreaterThan(2);
    expect(answer.message).toMatchObject({ id: 9, error: { code: -32603, message: expect.stringContaining('80 ms') } });
    await until(() => statsOf(served).running === 0);
    expect(statsOf(served)).toMatchObject(NOTHING);
  });

  it('may be none', async () => {
    const limits = { requestTimeoutMs: Number.POSITIVE_INFINITY };
    await using served = await serve(workshopApp({ limits }), adapter);
    const answer = served.call('hold', { name: 'patient' });
    const { release } = await served.app.get(Workshop).started('patient');
    release.open('done');
    expect((await answer).status).toBe(200);
  });
});

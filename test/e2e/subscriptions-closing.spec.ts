import { describe, expect, it } from '@jest/globals';

import { ADAPTERS } from '../support/adapters.js';
import { Desk } from '../support/desk.module.js';
import { EVERYTHING, idsOf, ListenedApp, story, townApp } from '../support/listening.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';

/** Far below the time that running calls get, far above what a busy machine needs. */
const PROMPT_MS = 4_000;
const patient = { limits: { drainTimeoutMs: 60_000 } } as const;

describe.each(ADAPTERS)('subscriptions of an app that closes on $name', (adapter) => {
  it('get their result, then the end, and do not hold it up', async () => {
    await using app = await ListenedApp.serve(townApp(patient), adapter);
    const ids = [7, 'seven', ''];
    const streams = await Promise.all(ids.map((id) => app.listen(EVERYTHING, { id })));
    const started = performance.now();
    await app.app.close();
    expect(performance.now() - started).toBeLessThan(PROMPT_MS);
    for (const [index, stream] of streams.entries()) {
      expect(await story(stream)).toEqual(['acknowledged', 'complete']);
      expect(idsOf(stream)).toEqual([ids[index], ids[index]]);
      expect(stream.messages.at(-1)).toMatchObject({ id: ids[index], result: { resultType: 'complete' } });
    }
    expect(app.listeners).toBe(0);
  });

  it('receive earlier changes before their end, and no later ones', async () => {
    await using app = await ListenedApp.serve(townApp(patient), adapter);
    const stream = await app.listen({ ...EVERYTHING, resourceSubscriptions: ['demo://a', 'demo://b'] });
    const { notifier } = app;
    await Promise.all([
      notifier.toolsChanged(),
      notifier.resourceUpdated('demo://a'),
      notifier.resourceUpdated('demo://b'),
    ]);
    const closing = app.app.close();
    await stream.closed;
    await notifier.promptsChanged();
    await closing;
    expect(await story(stream)).toEqual(['acknowledged', 'tools', 'demo://a', 'demo://b', 'complete']);
  });

  it('end while calls still run, which get their time', async () => {
    await using app = await ListenedApp.serve(townApp(patient, { providers: [Desk] }), adapter);
    const desk = app.app.get(Desk, { strict: false });
    const stream = await app.listen(EVERYTHING);
    const call = app.call('wait', {});
    const signal = await desk.waiting.opened;
    const closing = app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'complete']);
    expect(signal.aborted).toBe(false);
    desk.release.open('done');
    expect((await call).message.result.content).toMatchObject([{ text: 'done' }]);
    await closing;
  });

  it('end when a call that never does is cut off', async () => {
    await using app = await ListenedApp.serve(
      townApp({ limits: { drainTimeoutMs: 100 } }, { providers: [Desk] }),
      adapter,
    );
    const desk = app.app.get(Desk, { strict: false });
    const streams = await Promise.all([1, 2, 3].map((id) => app.listen(EVERYTHING, { id })));
    const call = app.call('wait', {}, { id: 4 });
    await desk.waiting.opened;
    const started = performance.now();
    await app.app.close();
    expect(performance.now() - started).toBeLessThan(PROMPT_MS);
    for (const stream of streams) expect(await story(stream)).toEqual(['acknowledged', 'complete']);
    expect((await call).message.error.code).toBe(-32603);
    await desk.aborted.opened;
    desk.release.open('late');
  });

  it('are refused once it has begun', async () => {
    await using app = await ListenedApp.serve(townApp(patient, { providers: [Desk] }), adapter);
    const desk = app.app.get(Desk, { strict: false });
    const stream = await app.listen(EVERYTHING);
    const call = app.call('wait', {});
    await desk.waiting.opened;
    const closing = app.app.close();
    await stream.closed;
    const posted = mcpRequest('subscriptions/listen', { notifications: EVERYTHING }, { id: 9 });
    using late = await RawConnection.open(app.origin);
    late.send({ headers: linesOf(posted), body: posted.body });
    const { status, message } = await late.answer();
    expect([status, message.error.code]).toEqual([503, -32603]);
    desk.release.open('done');
    await call;
    await closing;
  });

  it('end with the connection that carries them, so that it can be closed', async () => {
    await using app = await ListenedApp.serve(townApp(patient), adapter);
    const posted = mcpRequest('subscriptions/listen', { notifications: EVERYTHING });
    using connection = await RawConnection.open(app.origin);
    connection.send({ headers: linesOf(posted), body: posted.body });
    await connection.until('acknowledged');
    await app.app.close();
    const { body } = await connection.answer();
    expect(body).toMatch(/"resultType":"complete"[^\n]*\n\n$/);
    await connection.closed;
  });
});

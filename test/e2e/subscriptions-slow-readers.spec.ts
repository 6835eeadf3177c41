import { describe, expect, it } from '@jest/globals';

import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { heard, ListenedApp, story, townApp, type TownOptions } from '../support/listening.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import type { SseStream } from '../support/sse-stream.js';

/** Large notices, so that what the operating system keeps for a client is soon full. */
const uri = (name: string): string => `demo://${name}/${'語'.repeat(2_000)}`;
const URIS = Array.from({ length: 20 }, (_, index) => uri(String(index)));
const MARKS = Array.from({ length: 8 }, (_, index) => `demo://mark/${index}`);
const WANTED = { toolsListChanged: true, resourceSubscriptions: [...URIS, ...MARKS] } as const;
/** More than any operating system keeps. */
const MOST_NOTICES = 20_000;
const QUEUE = 3;
const LONG_MS = 30_000;
const PATIENT_MS = 60_000;

interface Readers extends AsyncDisposable {
  readonly app: ListenedApp;
  readonly slow: SseStream;
  readonly quick: SseStream;
  /** All that was told so far, in words. */
  readonly told: string[];
  tell(uri: string): Promise<void>;
}

/** One client that stops reading until its queue is full, and one that reads on. */
async function readers(
  adapter: AdapterCase,
  { subscriptions, ...others }: Pick<TownOptions, 'http' | 'limits' | 'subscriptions'>,
): Promise<Readers> {
  const log = new CapturedLog();
  const options = { ...others, subscriptions: { maxPendingChanges: QUEUE, ...subscriptions } };
  const app = await ListenedApp.serve(townApp(options), adapter, { configure: log.attach.bind(log) });
  const [slow, quick] = [await app.listen(WANTED, { id: 'slow' }), await app.listen(WANTED, { id: 'quick' })];
  const told: string[] = [];
  const tell = async (text: string): Promise<void> => {
    await app.notifier.resourceUpdated(text);
    told.push(text);
    // The pace is that of the client that reads.
    await quick.until(({ messages }) => messages.length > told.length);
  };
  slow.pause();
  const isFull = (): boolean => log.texts('warn').some((text) => text.includes('too slowly'));
  for (let count = 0; count < MOST_NOTICES && !isFull(); count += 1) await tell(URIS[count % URIS.length] ?? '');
  expect(log.texts('warn').filter((text) => text.includes('too slowly'))).toHaveLength(1);
  return { app, slow, quick, told, tell, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

describe.each(ADAPTERS)('a client on $name that stops reading', (adapter) => {
  it(
    'loses the oldest changes, and no more of them than it must',
    async () => {
      await using all = await readers(adapter, { http: { writeTimeoutMs: PATIENT_MS } });
      for (const mark of MARKS) await all.tell(mark);
      const closing = all.app.app.close();
      all.slow.resume();
      const words = (await story(all.slow)).slice(1, -1);
      await closing;
      const prefix = words.slice(0, -QUEUE);
      expect(words.slice(-QUEUE)).toEqual(MARKS.slice(-QUEUE));
      expect(prefix.join() === all.told.slice(0, prefix.length).join()).toBe(true);
      expect(await story(all.quick)).toEqual(['acknowledged', ...all.told, 'complete']);
    },
    LONG_MS,
  );

  it(
    'loses the newest changes where the server says so',
    async () => {
      const subscriptions = { overflow: 'drop-newest' } as const;
      await using all = await readers(adapter, { http: { writeTimeoutMs: PATIENT_MS }, subscriptions });
      for (const mark of MARKS) await all.tell(mark);
      const closing = all.app.app.close();
      all.slow.resume();
      const words = (await story(all.slow)).slice(1, -1);
      await closing;
      // The one that did not fit, the marks after it, and nothing else.
      expect(words.join() === all.told.slice(0, words.length).join()).toBe(true);
      expect(all.told.length - words.length).toBe(1 + MARKS.length);
      expect(await story(all.quick)).toEqual(['acknowledged', ...all.told, 'complete']);
    },
    LONG_MS,
  );

  it(
    'is cut off when it takes nothing for too long, and it alone',
    async () => {
      await using all = await readers(adapter, { http: { writeTimeoutMs: 200 } });
      await all.app.holds(1);
      all.slow.resume();
      expect(await all.slow.closed).toBe('cut');
      for (const mark of MARKS) await all.tell(mark);
      expect(heard(all.quick).slice(-MARKS.length)).toEqual(MARKS);
      all.quick.destroy();
    },
    LONG_MS,
  );

  it(
    'does not hold up an app that closes',
    async () => {
      await using all = await readers(adapter, {
        http: { writeTimeoutMs: PATIENT_MS },
        limits: { drainTimeoutMs: 100 },
      });
      await all.app.app.close();
      all.slow.resume();
      expect(await all.slow.closed).toBe('cut');
      expect(await story(all.quick)).toEqual(['acknowledged', ...all.told, 'complete']);
    },
    LONG_MS,
  );
});

describe.each(ADAPTERS)('signs of life on $name', (adapter) => {
  it('come on a subscription that is silent', async () => {
    await using app = await ListenedApp.serve(townApp({ http: { keepAliveMs: 10 } }), adapter);
    using stream = await app.listen(WANTED);
    await stream.until(({ comments }) => comments.length > 2);
    expect(heard(stream)).toEqual(['acknowledged']);
    await app.notifier.toolsChanged();
    await stream.until(({ messages }) => messages.length > 1);
    expect(heard(stream)).toEqual(['acknowledged', 'tools']);
  });

  it('keep a subscription open for longer than a client may take nothing', async () => {
    const http = { keepAliveMs: 50, writeTimeoutMs: 20 };
    await using app = await ListenedApp.serve(townApp({ http }), adapter);
    using stream = await app.listen(WANTED);
    await stream.until(({ comments }) => comments.length > 3);
    await app.notifier.toolsChanged();
    await stream.until(({ messages }) => messages.length > 1);
    expect(heard(stream)).toEqual(['acknowledged', 'tools']);
  });

  it('come between events, never within one, and never after the end', async () => {
    await using app = await ListenedApp.serve(townApp({ http: { keepAliveMs: 1 } }), adapter);
    const posted = mcpRequest('subscriptions/listen', { notifications: WANTED });
    using connection = await RawConnection.open(app.origin);
    connection.send({ headers: linesOf(posted), body: posted.body });
    await connection.until('acknowledged');
    using stream = await app.listen(WANTED);
    for (let count = 1; count <= 100; count += 1) {
      await app.notifier.resourceUpdated(URIS[count % URIS.length] ?? '');
      await stream.until(({ messages }) => messages.length > count);
    }
    await connection.until('keep-alive');
    await app.app.close();
    const events = (await connection.answer()).body.split('\n\n');
    expect(events.pop()).toBe('');
    expect(events.filter((event) => event === ': keep-alive').length).toBeGreaterThan(0);
    const data = events
      .filter((event) => event !== ': keep-alive')
      .map((event) => /^event: message\ndata: (.*)$/.exec(event)?.[1]);
    expect(data).toHaveLength(102);
    expect(data.map((text) => JSON.parse(text ?? '') as unknown)).toMatchObject(data.map(() => ({ jsonrpc: '2.0' })));
    expect(events.at(-1)).toContain('"resultType":"complete"');
  });
});

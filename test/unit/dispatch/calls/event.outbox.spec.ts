import { describe, expect, it } from '@jest/globals';

import { EventOutbox } from '../../../../lib/dispatch/calls/event.outbox.js';
import { LogItem, ProgressItem, type CallEvent } from '../../../../lib/model/event.js';

/** A client that acknowledges an event when the test calls `take`. */
class Pace {
  readonly sent: CallEvent[] = [];
  private readonly acknowledgements: (() => void)[] = [];
  readonly outbox = new EventOutbox((event, written) => {
    this.sent.push(event);
    this.acknowledgements.push(written);
  });

  take(count = 1): void {
    for (const written of this.acknowledgements.splice(0, count)) written();
  }

  get values(): unknown[] {
    return this.sent.map((event) => (event instanceof ProgressItem ? event.progress : event.data));
  }
}

const step = (done: number): ProgressItem => new ProgressItem(done);
const line = (data: unknown): LogItem => new LogItem('info', data);

async function isSettled(promise: Promise<unknown> | undefined): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

describe('EventOutbox', () => {
  it('sends an event at once, and resolves when the event was written', async () => {
    const pace = new Pace();
    const sent = pace.outbox.push(step(1));
    expect([pace.values, await isSettled(sent)]).toEqual([[1], false]);
    pace.take();
    await sent;
    expect(pace.outbox.drained()).toBeUndefined();
  });

  it('sends one event alone, and then all waiting events together', async () => {
    const pace = new Pace();
    for (const done of [1, 2, 3]) void pace.outbox.push(step(done));
    expect(pace.values).toEqual([1]);
    pace.take();
    expect(pace.values).toEqual([1, 2, 3]);
    void pace.outbox.push(step(4));
    pace.take();
    expect(pace.values).toEqual([1, 2, 3]);
    pace.take();
    expect(pace.values).toEqual([1, 2, 3, 4]);
  });

  it('keeps a hundred events, and then replaces the newest progress by a newer one', async () => {
    const pace = new Pace();
    void pace.outbox.push(step(0));
    const given = Array.from({ length: 100 }, (_, index) => pace.outbox.push(step(index + 1)));
    const late = pace.outbox.push(step(999));
    expect(await isSettled(given[99])).toBe(true);
    expect(await isSettled(given[98])).toBe(false);
    pace.take();
    expect(pace.values).toEqual([...Array.from({ length: 100 }, (_, index) => index), 999]);
    expect(await isSettled(late)).toBe(false);
    pace.take(200);
    await late;
  });

  it('drops the oldest log message, and keeps progress', () => {
    const pace = new Pace();
    void pace.outbox.push(step(0));
    void pace.outbox.push(step(1));
    for (let index = 0; index < 99; index += 1) void pace.outbox.push(line(`line ${index}`));
    void pace.outbox.push(line('last'));
    pace.take();
    expect(pace.values.slice(1, 4)).toEqual([1, 'line 1', 'line 2']);
    expect([pace.values.length, pace.values.at(-1)]).toEqual([101, 'last']);
  });

  it('drops a log message for progress when no progress is queued', () => {
    const pace = new Pace();
    void pace.outbox.push(step(0));
    for (let index = 0; index < 100; index += 1) void pace.outbox.push(line(index));
    void pace.outbox.push(step(1));
    pace.take();
    expect(pace.values).toEqual([0, ...Array.from({ length: 99 }, (_, index) => index + 1), 1]);
  });

  it('is drained when no event is being sent and no event waits', async () => {
    const pace = new Pace();
    void pace.outbox.push(step(1));
    void pace.outbox.push(step(2));
    const drained = pace.outbox.drained() as Promise<void>;
    pace.take();
    expect(await isSettled(drained)).toBe(false);
    pace.take();
    await drained;
  });

  it('continues when the transport acknowledges events without sending them', async () => {
    const pace = new Pace();
    let gone = false;
    const values: unknown[] = [];
    const outbox = new EventOutbox((event, written) => {
      values.push((event as ProgressItem).progress);
      if (gone) written();
      else void pace.outbox.push(event).then(written);
    });
    const all = [1, 2, 3, 4].map((done) => outbox.push(step(done)));
    gone = true;
    pace.take();
    await Promise.all(all);
    expect([values, outbox.drained()]).toEqual([[1, 2, 3, 4], undefined]);
  });

  it('ignores a repeated acknowledgement', () => {
    const written: (() => void)[] = [];
    const outbox = new EventOutbox((_event, done) => written.push(done));
    void outbox.push(step(1));
    void outbox.push(step(2));
    written[0]?.();
    written[0]?.();
    expect([written.length, outbox.drained() === undefined]).toEqual([2, false]);
  });

  it('rejects only the events that cannot be sent, at once or later', async () => {
    const pace = new Pace();
    const outbox = new EventOutbox((event, written) => {
      if ((event as LogItem).data === 'bad') throw new TypeError('a cycle');
      void pace.outbox.push(event).then(written);
    });
    await expect(outbox.push(line('bad'))).rejects.toThrow('a cycle');
    const first = outbox.push(line('first'));
    const bad = outbox.push(line('bad'));
    const last = outbox.push(line('last'));
    pace.take();
    await expect(bad).rejects.toThrow('a cycle');
    await first;
    pace.take();
    await last;
    expect(pace.values).toEqual(['first', 'last']);
  });
});

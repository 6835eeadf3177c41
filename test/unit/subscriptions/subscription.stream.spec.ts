import { Logger } from '@nestjs/common';
import { beforeEach, describe, expect, it } from '@jest/globals';

import { SubscriptionStream, type StreamHost } from '../../../lib/subscriptions/subscription.stream.js';
import { CapturedLog } from '../../support/captured-log.js';
import { quickListener, RecordingListener, updated, wants } from './recording-listener.js';

class Host implements StreamHost {
  readonly counts = { delivered: 0, coalesced: 0, dropped: 0 };
  readonly logger = new Logger('Host');
  readonly removed: SubscriptionStream[] = [];
  readonly narrowed: (readonly string[])[] = [];
  /** What waits for the end of a burst; without a list it has none. */
  burst: (() => void)[] | undefined;

  constructor(readonly options: StreamHost['options'] = { maxPendingChanges: 3, overflow: 'drop-oldest' }) {}

  later(run: () => void): void {
    if (this.burst === undefined) run();
    else this.burst.push(run);
  }

  remove(stream: SubscriptionStream): void {
    this.removed.push(stream);
  }

  narrow(_stream: SubscriptionStream, uris: readonly string[]): void {
    this.narrowed.push(uris);
  }
}

const streamOf = (host: Host, listener: RecordingListener): SubscriptionStream =>
  new SubscriptionStream(host, listener, wants({}), 0);

function send(stream: SubscriptionStream, ...uris: readonly string[]): void {
  for (const uri of uris) stream.receive(uri, updated(uri));
}

describe('SubscriptionStream', () => {
  let log: CapturedLog;
  let host: Host;
  let listener: RecordingListener;
  let stream: SubscriptionStream;

  beforeEach(() => {
    log = new CapturedLog();
    Logger.overrideLogger(log);
    host = new Host();
    listener = new RecordingListener();
    stream = streamOf(host, listener);
  });

  it('drops what waits of URIs that it is left without', () => {
    stream = new SubscriptionStream(host, listener, wants({ tools: true, uris: ['a:1', 'a:2', 'a:3'] }), 0);
    send(stream, 'a:1', 'a:2', 'a:3');
    stream.receive('tools-changed', { kind: 'tools-changed' });
    stream.narrow(['a:1', 'a:3']);
    expect([stream.filter.uris, host.narrowed]).toEqual([['a:1', 'a:3'], [['a:1', 'a:3']]]);
    for (let write = 0; write < 3; write += 1) listener.write();
    expect(listener.heard).toEqual(['a:1', 'a:3', 'tools-changed']);
    stream.close();
    stream.narrow([]);
    expect([stream.filter.uris, host.narrowed.length]).toEqual([['a:1', 'a:3'], 1]);
  });

  it('hands over one change at a time, in order', () => {
    send(stream, 'a:1', 'a:2', 'a:3');
    expect(listener.heard).toEqual(['a:1']);
    listener.write();
    expect(listener.heard).toEqual(['a:1', 'a:2']);
    listener.write();
    listener.write();
    expect(listener.heard).toEqual(['a:1', 'a:2', 'a:3']);
    send(stream, 'a:4');
    expect(listener.heard).toEqual(['a:1', 'a:2', 'a:3', 'a:4']);
    expect(host.counts).toEqual({ delivered: 4, coalesced: 0, dropped: 0 });
  });

  it.each([
    ['drop-oldest', ['a:1', 'a:4', 'a:5', 'a:6']],
    ['drop-newest', ['a:1', 'a:2', 'a:3', 'a:4']],
  ] as const)('loses nothing within a burst, and after it what is too much: %s', (overflow, left) => {
    const bursting = new Host({ maxPendingChanges: 3, overflow });
    bursting.burst = [];
    const [slow, quick] = [new RecordingListener(), new RecordingListener()];
    const [slowStream, quickStream] = [streamOf(bursting, slow), streamOf(bursting, quick)];
    for (const burst of [slowStream, quickStream]) send(burst, 'a:1', 'a:2', 'a:3', 'a:4', 'a:5', 'a:6');
    for (let write = 0; write < 6; write += 1) quick.write();
    for (const run of bursting.burst.splice(0)) run();
    for (let write = 0; write < 6; write += 1) slow.write();
    expect([quick.heard.length, slow.heard]).toEqual([6, left]);
    expect([quickStream.dropped, slowStream.dropped, bursting.counts.dropped]).toEqual([0, 2, 2]);
  });

  it('takes the end of a write once, also if it is reported again during the next write', () => {
    send(stream, 'a:1', 'a:2', 'a:3');
    const [first] = listener.writes;
    first?.();
    first?.();
    first?.();
    expect(listener.heard).toEqual(['a:1', 'a:2']);
  });

  it('hands over a long queue to a listener that suddenly writes at once', () => {
    const long = new Host({ maxPendingChanges: 10_000, overflow: 'drop-oldest' });
    let quick = false;
    const sudden = new RecordingListener((_change, written) => {
      if (quick) written();
    });
    const queued = streamOf(long, sudden);
    const uris = Array.from({ length: 10_000 }, (_, number) => `a:${number}`);
    send(queued, ...uris);
    quick = true;
    sudden.write();
    expect(sudden.heard).toEqual(uris);
  });

  it('lets equal changes wait once, at the place of the first', () => {
    send(stream, 'a:1', 'a:1', 'a:2', 'a:1', 'a:2');
    for (let count = 0; count < 5; count += 1) listener.write();
    expect(listener.heard).toEqual(['a:1', 'a:1', 'a:2']);
    expect(host.counts).toEqual({ delivered: 3, coalesced: 2, dropped: 0 });
  });

  it.each([
    ['drop-oldest', ['a:0', 'a:3', 'a:4', 'a:5'], 'the oldest are dropped'],
    ['drop-newest', ['a:0', 'a:1', 'a:2', 'a:3'], 'the newest are dropped'],
  ] as const)('loses changes by %s when its queue is full, and says so once', (overflow, heard, words) => {
    host = new Host({ maxPendingChanges: 3, overflow });
    stream = streamOf(host, listener);
    send(stream, 'a:0', 'a:1', 'a:2', 'a:3');
    expect([stream.dropped, log.lines]).toEqual([0, []]);
    send(stream, 'a:4', 'a:5');
    expect([stream.dropped, host.counts.dropped]).toEqual([2, 2]);
    expect(log.texts('warn')).toEqual([`A client reads too slowly: 3 changes wait for it, so ${words}.`]);
    for (let count = 0; count < 5; count += 1) listener.write();
    expect(listener.heard).toEqual(heard);
  });

  it('counts the losses of each listener apart', () => {
    const [other, slow] = [streamOf(host, quickListener()), streamOf(host, new RecordingListener())];
    for (const one of [stream, other, slow]) send(one, 'a:0', 'a:1', 'a:2', 'a:3', 'a:4');
    send(slow, 'a:5');
    expect([stream.dropped, other.dropped, slow.dropped, host.counts.dropped]).toEqual([1, 0, 2, 3]);
    expect(log.texts('warn')).toHaveLength(2);
  });

  it.each(['drop-oldest', 'drop-newest'] as const)('keeps nothing with a queue of none and %s', (overflow) => {
    host = new Host({ maxPendingChanges: 0, overflow });
    stream = streamOf(host, listener);
    send(stream, 'a:0', 'a:1', 'a:2');
    listener.write();
    send(stream, 'a:3');
    expect(listener.heard).toEqual(['a:0', 'a:3']);
    expect(stream.dropped).toBe(2);
  });

  it('ends at once when nothing waits', () => {
    stream.complete();
    stream.complete();
    send(stream, 'a:1');
    expect([listener.ends, listener.heard, host.removed]).toEqual([['complete'], [], [stream]]);
  });

  it('ends after what waits was written, and takes nothing more', () => {
    send(stream, 'a:1', 'a:2');
    stream.complete();
    send(stream, 'a:3');
    listener.write();
    expect([listener.heard, listener.ends]).toEqual([['a:1', 'a:2'], []]);
    expect(host.removed).toEqual([]);
    listener.write();
    expect([listener.heard, listener.ends]).toEqual([['a:1', 'a:2'], ['complete']]);
    listener.write();
    expect([listener.ends, host.removed]).toEqual([['complete'], [stream]]);
  });

  it('ends once when it is completed from inside a delivery that writes at once', () => {
    const inner = new RecordingListener((_change, written) => {
      streamed.complete();
      written();
    });
    const streamed = streamOf(host, inner);
    send(streamed, 'a:1');
    expect([inner.heard, inner.ends]).toEqual([['a:1'], ['complete']]);
  });

  it('delivers queued changes before its end when it is completed inside a delivery that was written', () => {
    const inner = new RecordingListener((_change, written) => {
      if (inner.changes.length === 1) return;
      written();
      streamed.complete();
    });
    const streamed = streamOf(host, inner);
    send(streamed, 'a:1', 'a:2', 'a:3');
    inner.write();
    expect([inner.heard, inner.ends]).toEqual([['a:1', 'a:2', 'a:3'], ['complete']]);
  });

  it('drops queued changes when it is ended at once', () => {
    send(stream, 'a:1', 'a:2');
    stream.end('failed');
    listener.write();
    stream.complete();
    stream.end('complete');
    expect([listener.heard, listener.ends]).toEqual([['a:1'], ['failed']]);
  });

  it('delivers nothing after close, which may be repeated', () => {
    send(stream, 'a:1', 'a:2');
    stream.close();
    stream.close();
    listener.write();
    send(stream, 'a:3');
    stream.complete();
    stream.end('failed');
    expect([listener.heard, listener.ends, host.removed]).toEqual([['a:1'], [], [stream]]);
  });

  it('delivers nothing more when it is closed inside a delivery', () => {
    const leaving = new RecordingListener((_change, written) => {
      left.close();
      written();
    });
    const left = streamOf(host, leaving);
    send(left, 'a:1', 'a:2');
    expect([leaving.heard, leaving.ends]).toEqual([['a:1'], []]);
  });

  it('delivers no queued change when it is closed inside a delivery', () => {
    const leaving = new RecordingListener((_change, written) => {
      if (leaving.changes.length === 1) return;
      left.close();
      written();
    });
    const left = streamOf(host, leaving);
    send(left, 'a:1', 'a:2', 'a:3');
    leaving.write();
    expect([leaving.heard, leaving.ends]).toEqual([['a:1', 'a:2'], []]);
  });

  it('keeps the order when changes arrive during a delivery to a listener that writes at once', () => {
    let nested = ['a:4', 'a:5'];
    const busy = new RecordingListener((_change, written) => {
      if (busy.changes.length === 1) return;
      written();
      const uris = nested;
      nested = [];
      send(queued, ...uris);
    });
    const queued = streamOf(host, busy);
    send(queued, 'a:1', 'a:2', 'a:3');
    busy.write();
    expect(busy.heard).toEqual(['a:1', 'a:2', 'a:3', 'a:4', 'a:5']);
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('ends as failed when the listener throws %s it has written', (_when, early) => {
    const broken = new RecordingListener((_change, written) => {
      if (early) written();
      throw new Error('broken writer');
    });
    const failing = streamOf(host, broken);
    send(failing, 'a:1', 'a:2');
    broken.write();
    expect([broken.heard, broken.ends, host.removed]).toEqual([['a:1'], ['failed'], [failing]]);
    expect(log.texts('error')).toEqual(['A subscription ended because its listener threw: broken writer']);
    expect(log.lines[0]?.stack).toContain('broken writer');
  });

  it('delivers nothing to a listener that throws after it has left', () => {
    const leaving = new RecordingListener(() => {
      left.close();
      throw new Error('socket gone');
    });
    const left = streamOf(host, leaving);
    send(left, 'a:1');
    expect([leaving.ends, host.removed]).toEqual([[], [left]]);
    expect(log.texts('error')).toHaveLength(1);
  });

  it('contains what a listener throws at its end', () => {
    listener.end = () => {
      throw new Error('broken end');
    };
    stream.end('failed');
    expect(log.texts('error')).toEqual(['A listener threw at the end of its subscription: broken end']);
    expect(host.removed).toEqual([stream]);
  });
});

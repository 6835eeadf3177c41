import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';

import type { Change, ChangeFilter } from '../../../lib/model/change.js';
import { SubscriptionIndex } from '../../../lib/subscriptions/subscription.index.js';
import { SubscriptionStream } from '../../../lib/subscriptions/subscription.stream.js';
import { RecordingListener, updated, wants } from './recording-listener.js';

function streamOf(filter: Partial<ChangeFilter>): SubscriptionStream {
  const host = {
    options: { maxPendingChanges: 1, overflow: 'drop-oldest' as const },
    counts: { delivered: 0, coalesced: 0, dropped: 0 },
    logger: new Logger(),
    later: (run: () => void) => run(),
    remove: () => {},
    narrow: () => {},
  };
  return new SubscriptionStream(host, new RecordingListener(), wants(filter), 0);
}

function indexOf(...streams: readonly SubscriptionStream[]): SubscriptionIndex {
  const index = new SubscriptionIndex();
  for (const stream of streams) index.add(stream);
  return index;
}

function visits(index: SubscriptionIndex, change: Change): [SubscriptionStream, Change][] {
  const seen: [SubscriptionStream, Change][] = [];
  index.visit(change, (stream, _key, own) => seen.push([stream, own]));
  return seen;
}

describe('SubscriptionIndex', () => {
  it.each([
    ['tools-changed', 'tools'],
    ['prompts-changed', 'prompts'],
    ['resources-changed', 'resources'],
  ] as const)('visits for %s those who want %s', (kind, list) => {
    const streams = {
      tools: streamOf({ tools: true }),
      prompts: streamOf({ prompts: true }),
      resources: streamOf({ resources: true }),
    };
    const all = streamOf({ tools: true, prompts: true, resources: true });
    const index = indexOf(...Object.values(streams), all, streamOf({ uris: ['demo://a'] }));
    const change = { kind };
    expect(visits(index, change)).toEqual([
      [streams[list], change],
      [all, change],
    ]);
  });

  it('visits for an update the one of 10,000 who watches the resource', () => {
    const streams = Array.from({ length: 10_000 }, (_, number) => streamOf({ uris: [`demo://${number}`] }));
    const seen = visits(indexOf(...streams), updated('demo://7000'));
    expect(seen.map(([stream]) => streams.indexOf(stream))).toEqual([7000]);
  });

  it('visits no stream for a resource below or above the watched one', () => {
    const index = indexOf(streamOf({ tools: true, resources: true, uris: ['demo://a'] }));
    expect([...visits(index, updated('demo://a/x')), ...visits(index, updated('demo://'))]).toEqual([]);
  });

  it('gives each its own spelling, and one object to all who spell alike', () => {
    const [raw, otherRaw, lower, upper] = ['demo://é', 'demo://é', 'demo://%c3%a9', 'demo://%C3%A9'].map((uri) =>
      streamOf({ uris: [uri] }),
    );
    const index = indexOf(...[raw, lower, upper, otherRaw].filter((stream) => stream !== undefined));
    const change = updated('demo://%C3%A9');
    const seen = new Map(visits(index, change));
    const own = (stream: SubscriptionStream | undefined): unknown => stream && seen.get(stream);
    expect(own(upper)).toBe(change);
    expect(own(raw)).toEqual(updated('demo://é'));
    expect(own(otherRaw)).toBe(own(raw));
    expect(own(lower)).toEqual(updated('demo://%c3%a9'));
  });

  it('visits a stream once that spells a resource twice, with its first spelling', () => {
    const stream = streamOf({ uris: ['demo://%c3%a9', 'demo://é', 'demo://%c3%a9'] });
    const index = indexOf(stream);
    expect(index.watched).toBe(1);
    expect(visits(index, updated('demo://é'))).toEqual([[stream, updated('demo://%c3%a9')]]);
    index.remove(stream);
    expect(index.watched).toBe(0);
  });

  it('takes a URI without a canonical form for one that never changes', () => {
    const stream = streamOf({ uris: ['demo://\ud800'] });
    const index = indexOf(stream);
    expect(visits(index, updated('demo://\ud800'))).toEqual([]);
    index.remove(stream);
    expect([index.size, index.watched]).toEqual([0, 0]);
  });

  it('removes some URIs of a stream, and none of the other streams', () => {
    const [less, other] = [streamOf({ tools: true, uris: ['demo://a', 'demo://b'] }), streamOf({ uris: ['demo://a'] })];
    const index = indexOf(less, other);
    index.narrow(less, ['demo://b']);
    expect(index.watched).toBe(2);
    expect(visits(index, updated('demo://a')).map(([stream]) => stream)).toEqual([other]);
    expect(visits(index, updated('demo://b')).map(([stream]) => stream)).toEqual([less]);
    expect(visits(index, { kind: 'tools-changed' })).toHaveLength(1);
    index.remove(less);
    index.narrow(less, ['demo://b']);
    expect([index.size, index.watched]).toEqual([1, 1]);
  });

  it('keeps a URI for another spelling of it', () => {
    const stream = streamOf({ uris: ['demo://é', 'demo://%C3%A9'] });
    const index = indexOf(stream);
    index.narrow(stream, ['demo://%C3%A9']);
    expect(visits(index, updated('demo://é'))).toEqual([[stream, updated('demo://%C3%A9')]]);
  });

  it('forgets who is removed, and no one else', () => {
    const filter = { tools: true, prompts: true, resources: true, uris: ['demo://a', 'demo://b'] };
    const [gone, kept] = [streamOf(filter), streamOf({ tools: true, uris: ['demo://b'] })];
    const index = indexOf(gone, kept);
    expect([index.size, index.watched]).toEqual([2, 2]);
    index.remove(gone);
    index.remove(gone);
    expect([index.size, index.watched, index.streams()]).toEqual([1, 1, [kept]]);
    const changes: Change[] = [{ kind: 'tools-changed' }, { kind: 'prompts-changed' }, { kind: 'resources-changed' }];
    const seen = [...changes, updated('demo://a'), updated('demo://b')].flatMap((change) => visits(index, change));
    expect(seen).toEqual([
      [kept, { kind: 'tools-changed' }],
      [kept, updated('demo://b')],
    ]);
  });
});

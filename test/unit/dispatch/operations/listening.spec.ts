import { describe, expect, it } from '@jest/globals';

import type { CallLink } from '../../../../lib/dispatch/calls/call-link.js';
import { Listening } from '../../../../lib/dispatch/operations/listening.js';
import {
  SubscriptionPort,
  type ChangeListener,
  type ChangeSubscription,
} from '../../../../lib/dispatch/operations/subscription.port.js';
import type { ChangeFilter } from '../../../../lib/model/change.js';
import type { OutgoingEvent } from '../../../../lib/model/event.js';

const TOOLS: ChangeFilter = { tools: true, prompts: false, resources: false, uris: [] };
const NOTHING: ChangeFilter = { ...TOOLS, tools: false };
const URI: ChangeFilter = { ...NOTHING, uris: ['demo://a'] };

/** Records events in order. */
class Diary extends SubscriptionPort implements CallLink {
  readonly lines: string[] = [];
  readonly writes: (() => void)[] = [];

  constructor(private readonly whenOpened: (listener: ChangeListener) => void = () => {}) {
    super();
  }

  started(): void {
    this.lines.push('started');
  }

  opened(): void {
    this.lines.push('stays open');
  }

  send(event: OutgoingEvent, written: () => void): void {
    this.lines.push(event.kind);
    this.writes.push(written);
  }

  open(_filter: ChangeFilter, listener: ChangeListener): ChangeSubscription {
    this.lines.push('opened');
    this.whenOpened(listener);
    return {
      narrow: (uris) => this.lines.push(`narrowed to ${uris.join()}`),
      close: () => this.lines.push('closed'),
    };
  }
}

describe('a subscription of one client', () => {
  it.each([TOOLS, URI, { ...NOTHING, prompts: true }, { ...NOTHING, resources: true }])(
    'opens %j before the acknowledgement, so that no change is lost',
    (filter) => {
      const diary = new Diary();
      expect(new Listening(diary).open(diary, filter)).toBeInstanceOf(Promise);
      expect(diary.lines).toEqual(['opened', 'acknowledged']);
    },
  );

  it('ends at once and opens no source when the filter is empty', () => {
    const diary = new Diary();
    expect(new Listening(diary).open(diary, NOTHING)).toEqual({ kind: 'unsubscribed' });
    expect(diary.lines).toEqual(['acknowledged']);
  });

  it('delivers changes, and reports when they are written', () => {
    const diary = new Diary();
    const listening = new Listening(diary);
    void listening.open(diary, TOOLS);
    let written = 0;
    listening.deliver({ kind: 'tools-changed' }, () => (written += 1));
    expect(diary.lines).toEqual(['opened', 'acknowledged', 'tools-changed']);
    expect(written).toBe(0);
    diary.writes.at(-1)?.();
    expect(written).toBe(1);
  });

  it.each([
    ['complete', { kind: 'unsubscribed' }],
    ['failed', { kind: 'fault', fault: { kind: 'internal' } }],
  ] as const)('ends in the same way as its source: %s', async (reason, outcome) => {
    const diary = new Diary();
    const listening = new Listening(diary);
    const ending = listening.open(diary, TOOLS);
    listening.end(reason);
    expect(await ending).toEqual(outcome);
    expect(diary.lines).toEqual(['opened', 'acknowledged', 'closed']);
  });

  it.each(['finish', 'cancel'] as const)('closes its source once on %s, and ignores later ends', async (how) => {
    const diary = new Diary();
    const listening = new Listening(diary);
    const ending = listening.open(diary, TOOLS);
    listening[how]();
    listening.finish();
    listening.cancel();
    listening.end('failed');
    expect(await ending).toEqual({ kind: 'cancelled' });
    expect(diary.lines).toEqual(['opened', 'acknowledged', 'closed']);
  });

  it('receives fewer changes when it is narrowed, and ends when its filter is empty', async () => {
    const diary = new Diary();
    const listening = new Listening(diary);
    const ending = listening.open(diary, { ...URI, uris: ['demo://a', 'demo://b'] });
    listening.narrow(URI);
    expect(diary.lines).toEqual(['opened', 'acknowledged', 'narrowed to demo://a']);
    listening.narrow(NOTHING);
    expect(await ending).toEqual({ kind: 'unsubscribed' });
  });

  it.each(['finish', 'cancel', 'conclude', 'end', 'narrow'] as const)('is no longer reviewed after %s', (how) => {
    const diary = new Diary();
    const listening = new Listening(diary);
    void listening.open(diary, TOOLS);
    let stops = 0;
    listening.reviewedBy(() => ({ stop: () => (stops += 1) }) as never);
    if (how === 'conclude') listening.conclude({ kind: 'unsubscribed' });
    else if (how === 'end') listening.end('complete');
    else if (how === 'narrow') listening.narrow(TOOLS);
    else listening[how]();
    listening.finish();
    expect(stops).toBe(1);
  });

  it('is not reviewed when it never opened, or has ended', () => {
    const diary = new Diary();
    const [empty, ended] = [new Listening(diary), new Listening(diary)];
    void empty.open(diary, NOTHING);
    void ended.open(diary, TOOLS);
    ended.finish();
    for (const listening of [empty, ended]) {
      listening.reviewedBy(() => {
        throw new Error('not begun');
      });
    }
    expect(diary.lines.at(-1)).toBe('closed');
  });

  it('passes on the error that its source throws', () => {
    const diary = new Diary(() => {
      throw new Error('no bus');
    });
    expect(() => new Listening(diary).open(diary, TOOLS)).toThrow('no bus');
    expect(diary.lines).toEqual(['opened']);
  });
});

import { Logger } from '@nestjs/common';
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import type { ChangeListener, ChangeSubscription } from '../../../lib/dispatch/operations/subscription.port.js';
import type { Change } from '../../../lib/model/change.js';
import { InMemoryChangeBus } from '../../../lib/subscriptions/change-bus.js';
import { SubscriptionHub } from '../../../lib/subscriptions/subscription.hub.js';
import { CapturedLog } from '../../support/captured-log.js';
import { nameOf, updated, wants } from './recording-listener.js';

Logger.overrideLogger(new CapturedLog());

type Deed = 'publish' | 'open' | 'close-self' | 'close-other' | 'write' | 'throw';

/** A listener that interferes while it is told; each deed is done once, so that it comes to an end. */
class Meddler implements ChangeListener {
  subscription: ChangeSubscription | undefined;
  readonly heard: number[] = [];
  readonly ends: string[] = [];
  readonly since: number;
  closed = false;
  private outstanding = false;
  private last: (() => void) | undefined;

  constructor(
    private readonly crowd: Crowd,
    private readonly deeds: Deed[],
  ) {
    this.since = crowd.published;
  }

  deliver(change: Change, written: () => void): void {
    if (this.outstanding) this.crowd.faults.push('told before the latest was written');
    if (this.closed || this.ends.length > 0) this.crowd.faults.push('told after the end');
    this.heard.push(Number(nameOf(change).slice('demo://'.length)));
    this.outstanding = true;
    this.last = written;
    for (let deed = this.deeds.shift(); deed !== undefined; deed = this.deeds.shift()) {
      if (deed === 'throw') throw new Error('meddled');
      if (deed === 'write') {
        this.write();
        return;
      }
      this.crowd.meddle(deed, this);
    }
  }

  end(reason: string): void {
    if (this.closed || this.ends.length > 0) this.crowd.faults.push('ended after the end');
    this.ends.push(reason);
  }

  close(): void {
    this.closed = true;
    this.subscription?.close();
  }

  write(): boolean {
    if (!this.outstanding) return false;
    this.outstanding = false;
    this.last?.();
    return true;
  }
}

class Crowd {
  readonly bus = new InMemoryChangeBus();
  readonly hub = new SubscriptionHub(
    { server: 'default', maxPendingChanges: 1_000, overflow: 'drop-oldest' },
    this.bus,
  );
  readonly meddlers: Meddler[] = [];
  /** Kept, not thrown: the hub contains what a listener throws. */
  readonly faults: string[] = [];
  readonly uris = Array.from({ length: 110 }, (_, number) => `demo://${number}`);
  published = 0;

  constructor(private readonly scripts: Deed[][]) {}

  meddle(deed: Exclude<Deed, 'write' | 'throw'>, meddler: Meddler): void {
    if (deed === 'publish') this.publish();
    else if (deed === 'open') this.open();
    else if (deed === 'close-self') meddler.close();
    else this.meddlers.find((other) => other !== meddler && !other.closed)?.close();
  }

  publish(): void {
    this.bus.publish({ server: 'default', change: updated(`demo://${this.published++}`) });
  }

  open(): void {
    const meddler = new Meddler(this, this.scripts.shift() ?? []);
    this.meddlers.push(meddler);
    meddler.subscription = this.hub.open(wants({ uris: this.uris }), meddler);
  }
}

it('listeners that change subscriptions during a delivery get every change once and in order', () => {
  const deeds = fc.constantFrom<Deed>(
    'publish',
    'publish',
    'open',
    'close-self',
    'close-other',
    'write',
    'write',
    'throw',
  );
  const scripts = fc.array(fc.array(deeds, { maxLength: 8 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(scripts, fc.integer({ min: 1, max: 6 }), (scripts, rounds) => {
      const crowd = new Crowd(scripts);
      for (let count = 0; count < 4; count += 1) crowd.open();
      for (let round = 0; round < rounds; round += 1) {
        crowd.publish();
        for (const meddler of crowd.meddlers) meddler.write();
      }
      while (crowd.meddlers.some((meddler) => meddler.write()));
      for (const { heard, since, closed, ends } of crowd.meddlers) {
        const all = Array.from({ length: crowd.published - since }, (_, index) => since + index);
        const due = closed || ends.length > 0 ? all.slice(0, heard.length) : all;
        expect(heard.join()).toBe(due.join());
      }
      const open = crowd.meddlers.filter(({ closed, ends }) => !closed && ends.length === 0);
      expect(crowd.hub.stats().listeners).toBe(open.length);
      for (const meddler of open) meddler.close();
      expect(crowd.faults).toEqual([]);
      expect(crowd.hub.stats()).toMatchObject({ listeners: 0, uris: 0, coalesced: 0, dropped: 0 });
    }),
    { numRuns: 100 },
  );
});

import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';

import {
  SubscriptionPort,
  type ChangeListener,
  type ChangeSubscription,
} from '../dispatch/operations/subscription.port.js';
import { logFailure } from '../errors/failure.log.js';
import { warn } from '../errors/log-line.js';
import type { Change, ChangeFilter } from '../model/change.js';
import { BusLink } from './bus.link.js';
import type { ChangeBus, BusMessage } from './change-bus.js';
import { SubscriptionIndex } from './subscription.index.js';
import { SubscriptionStream, type StreamHost } from './subscription.stream.js';
import type { SubscriptionHubOptions } from './subscriptions-options.interface.js';

/**
 * What the subscriptions of a server hold and have done since it started.
 *
 * @publicApi
 */
export interface SubscriptionStats {
  /** Open subscriptions. */
  readonly listeners: number;
  /** Different resources that any of them watches. */
  readonly uris: number;
  /** Changes handed to clients; a change counts once for each of them. */
  readonly delivered: number;
  /** Changes left out because an equal one still waited for the same client. */
  readonly coalesced: number;
  /** Changes lost because the queue of a client was full. */
  readonly dropped: number;
}

/**
 * Passes the changes of one server, whichever instance of the app published them, to those who listen here.
 *
 * A change goes from the bus through the index, which knows who asked for it, to a stream per listener, which hands over
 * one change at a time and lets a bounded number wait. All listeners hear changes in the order of the bus: what is published
 * while a change is on its way is passed on after it. A listener hears what the hub takes after `open`.
 */
export class SubscriptionHub extends SubscriptionPort {
  private readonly logger = new Logger('McpSubscriptions');
  private readonly index = new SubscriptionIndex();
  /** That of the start: a bus must not carry everything in the context of whoever listened first. */
  private readonly context = new AsyncResource('McpSubscriptions');
  private readonly host: StreamHost;
  private readonly queue: Change[] = [];
  private taken = 0;
  private passed = 0;
  private passing = false;
  private completed = false;
  private warned = false;
  private link: BusLink | undefined;

  constructor(
    private readonly options: SubscriptionHubOptions,
    private readonly bus: ChangeBus,
    later: (run: () => void) => void = setImmediate,
  ) {
    super();
    this.host = {
      options,
      counts: { delivered: 0, coalesced: 0, dropped: 0 },
      logger: this.logger,
      later,
      remove: (stream) => this.index.remove(stream),
      narrow: (stream, uris) => this.index.narrow(stream, uris),
    };
  }

  /** After `complete`, the listener hears of the end as soon as this has returned. Throws when the bus cannot be heard. */
  open(filter: ChangeFilter, listener: ChangeListener): ChangeSubscription {
    if (this.completed) {
      const late = new SubscriptionStream(this.host, listener, filter, this.taken);
      queueMicrotask(() => late.complete());
      return late;
    }
    this.link ??= this.connect();
    const stream = new SubscriptionStream(this.host, listener, filter, this.taken);
    this.index.add(stream);
    return stream;
  }

  /** Takes no more changes; each listener gets what was published before, and then its end. */
  complete(): void {
    if (this.completed) return;
    this.completed = true;
    this.link?.close();
    this.link = undefined;
    if (!this.passing) this.completeAll();
  }

  stats(): SubscriptionStats {
    return { listeners: this.index.size, uris: this.index.watched, ...this.host.counts };
  }

  private connect(): BusLink {
    const link = new BusLink(
      this.bus,
      { changed: (message) => this.take(message), failed: (error) => this.fail(error) },
      this.logger,
    );
    this.context.runInAsyncScope(() => link.open());
    return link;
  }

  private take(received: unknown): void {
    const message = readBusMessage(received);
    if (message === undefined) this.warnOfMalformed();
    if (message?.server !== this.options.server) return;
    this.taken += 1;
    this.queue.push(message.change);
    if (!this.passing) this.passAll();
  }

  private passAll(): void {
    this.passing = true;
    try {
      for (let change = this.queue.shift(); change !== undefined; change = this.queue.shift()) this.pass(change);
    } finally {
      this.passing = false;
    }
    if (this.completed) this.completeAll();
  }

  private pass(change: Change): void {
    this.passed += 1;
    this.index.visit(change, (stream, key, own) => {
      if (stream.since < this.passed) stream.receive(key, own);
    });
  }

  private fail(error: unknown): void {
    logFailure(this.logger, 'The change bus failed, so all subscriptions ended', error);
    this.link = undefined;
    for (const stream of this.index.streams()) stream.end('failed');
  }

  private completeAll(): void {
    for (const stream of this.index.streams()) stream.complete();
  }

  private warnOfMalformed(): void {
    if (this.warned) return;
    this.warned = true;
    warn(
      this.logger,
      'The change bus delivered something that is no message of this library. Such messages are dropped.',
    );
  }
}

/** One object for all times, so that its wire form is made once. */
const LIST_CHANGES = {
  'tools-changed': Object.freeze({ kind: 'tools-changed' }),
  'prompts-changed': Object.freeze({ kind: 'prompts-changed' }),
  'resources-changed': Object.freeze({ kind: 'resources-changed' }),
} as const;

/** A message as a bus of other processes delivered it, without what does not belong to it; `undefined` if it is none. */
export function readBusMessage(value: unknown): BusMessage | undefined {
  try {
    if (!isObject(value) || typeof value['server'] !== 'string') return undefined;
    const change = readChange(value['change']);
    return change === undefined ? undefined : { server: value['server'], change };
  } catch {
    // A getter of the bus threw.
    return undefined;
  }
}

function readChange(value: unknown): Change | undefined {
  if (!isObject(value)) return undefined;
  const { kind, uri } = value;
  if (kind === 'resource-updated') return typeof uri === 'string' ? Object.freeze({ kind, uri }) : undefined;
  return isListChange(kind) ? LIST_CHANGES[kind] : undefined;
}

function isListChange(kind: unknown): kind is keyof typeof LIST_CHANGES {
  return typeof kind === 'string' && Object.hasOwn(LIST_CHANGES, kind);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

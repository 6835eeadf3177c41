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
 * The subscriptions of a server, and their counts since it started.
 *
 * @publicApi
 */
export interface SubscriptionStats {
  /** Open subscriptions. */
  readonly listeners: number;
  /** Distinct resources that are subscribed to. */
  readonly uris: number;
  /** Changes delivered to clients; a change counts once for each client. */
  readonly delivered: number;
  /** Changes left out because an equal change was still queued for the same client. */
  readonly coalesced: number;
  /** Changes lost because the queue of a client was full. */
  readonly dropped: number;
}

/**
 * Delivers the changes of one server, published by any instance of the app, to the listeners of this instance.
 *
 * A change goes from the bus through the index, which knows its subscribers, to one stream per listener. The stream
 * delivers one change at a time and queues a bounded number. All listeners get changes in the order of the bus: a
 * change that is published during a delivery is delivered after it. A listener gets changes that arrive after `open`.
 */
export class SubscriptionHub extends SubscriptionPort {
  private readonly logger = new Logger('McpSubscriptions');
  private readonly index = new SubscriptionIndex();
  /** The context of the start: a bus must not deliver all changes in the context of the first listener. */
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

  /** After `complete`, the listener is notified of the end when this returns. Throws if the bus fails. */
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

  /** Accepts no more changes; each listener gets all earlier changes, and then its end. */
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
      'The change bus delivered a message that this library did not publish. Such messages are dropped.',
    );
  }
}

/** One object for each kind, so that it is encoded only once. */
const LIST_CHANGES = {
  'tools-changed': Object.freeze({ kind: 'tools-changed' }),
  'prompts-changed': Object.freeze({ kind: 'prompts-changed' }),
  'resources-changed': Object.freeze({ kind: 'resources-changed' }),
} as const;

/** A message that a bus of other processes delivered, without unknown members; `undefined` if it is invalid. */
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

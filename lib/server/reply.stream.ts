import { Logger } from '@nestjs/common';
import type { Observer, Subscribable, Unsubscribable } from 'rxjs';

import { warn } from '../errors/log-line.js';
import type { JobKey, Job, JobEnd, JobRefusal, JobTicket, Lane } from '../execution/job.js';
import type { Caller } from '../model/peer.js';
import type { RequestId } from '../wire/json-rpc.js';
import { fingerprint, isAnonymous, ownerOf } from '../dispatch/caller-identity.js';
import type { Dialect } from '../dialects/dialect.js';
import type { Cancellable, CallLink } from '../dispatch/calls/call-link.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { CancelReason } from '../errors/call-cancelled.error.js';
import { logWithReference } from '../errors/failure.log.js';
import { systemClock } from '../execution/clock.js';
import type { Executor } from '../execution/executor.js';
import type { Slot, Slots } from '../execution/slots.js';
import type { ChangeFilter } from '../model/change.js';
import type { OutgoingEvent } from '../model/event.js';
import type { Fault } from '../model/fault.js';
import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { OutgoingMessage, ReplyForms } from '../wire/exchange.js';
import type { PreparedRequest } from './prepared.js';
import type { RequestObserver } from './request-observer.js';

let servers = 0;

/**
 * The scope in which a request id is unique, so that a cancellation reaches the request that it names: the same server, the
 * same caller and the same client instance, as a guard has identified them, or the same connection. Outside of a scope an
 * id identifies nothing.
 */
export class CancellationScopes {
  private readonly logger = new Logger('McpCancellation');
  private readonly server = (servers += 1);
  private hasWarned = false;

  /** `undefined` outside of any scope: such a request cannot be cancelled by a notification. */
  keyOf(caller: Caller, id: RequestId): JobKey | undefined {
    if (caller.clientInstance !== undefined) return { scope: caller.clientInstance, id };
    const instance = caller.cancellationScope?.();
    if (instance === undefined || instance === null || instance === '') return undefined;
    const auth = caller.auth();
    if (auth === undefined || auth === null) return undefined;
    const [who, where] = [fingerprint(auth), fingerprint(instance)];
    if (who === undefined || where === undefined) return this.warn();
    return { scope: `${this.server} ${who} ${where}`, id };
  }

  private warn(): undefined {
    if (this.hasWarned) return;
    this.hasWarned = true;
    warn(
      this.logger,
      'Clients cannot cancel requests: what the guard left about the caller, or its cancellation scope, holds more than plain data and cannot be compared. Leave strings, numbers, arrays and objects of them.',
    );
  }
}

/** What all answers of one server share. */
export interface ReplyDependencies {
  readonly dispatcher: Dispatcher;
  readonly executor: Executor;
  readonly subscriptions: Slots;
  readonly scopes: CancellationScopes;
  readonly observer: RequestObserver;
  readonly requestTimeoutMs: number;
}

const logger = new Logger('McpExchange');

const REASONS: Readonly<Record<JobEnd, CancelReason>> = {
  'owner-gone': 'client-gone',
  cancelled: 'cancelled',
  deadline: 'deadline',
  // A handler never sees this one: a displaced job has not begun.
  displaced: 'cancelled',
  closed: 'shutdown',
};

const REFUSALS: Readonly<Record<JobRefusal, Fault>> = {
  overloaded: { kind: 'overloaded' },
  'duplicate-key': { kind: 'duplicate-id' },
  closed: { kind: 'shutting-down' },
};

const CANCELLED: Outcome = Object.freeze({ kind: 'cancelled' });

const NOBODY: Partial<Observer<OutgoingMessage>> = Object.freeze({});

const NOTHING: ChangeFilter = Object.freeze({ tools: false, prompts: false, resources: false, uris: [] });

/** One answer: waits for a place, emits events while the handler runs, then exactly one response. */
export class ReplyStream implements CallLink, Job, Subscribable<OutgoingMessage>, Unsubscribable {
  readonly lane: Lane;
  readonly timeoutMs: number;
  readonly key: JobKey | undefined;
  readonly owner: unknown;
  private request: OperationRequest;
  private readonly dialect: Dialect;
  private readonly forms: ReplyForms;
  private observer = NOBODY;
  private running: Cancellable | undefined;
  private ticket: JobTicket | undefined;
  private slot: Slot | undefined;
  private over = false;
  private readonly since = systemClock.now();

  constructor(
    private readonly parts: ReplyDependencies,
    { request, dialect, forms }: PreparedRequest,
    private readonly subscriptions: Slots = parts.subscriptions,
  ) {
    this.request = request;
    this.dialect = dialect;
    this.forms = forms;
    const { dispatcher, scopes, requestTimeoutMs } = parts;
    this.key = scopes.keyOf(request.caller, request.id);
    this.lane = dispatcher.laneOf(request.operation);
    this.timeoutMs = dispatcher.timeoutOf(request.operation) ?? requestTimeoutMs;
    this.owner = ownerOf(request.caller);
  }

  get isAnonymous(): boolean {
    return isAnonymous(this.owner);
  }

  /** Submits the job to the executor; called once. */
  subscribe(observer: Partial<Observer<OutgoingMessage>>): Unsubscribable {
    this.observer = observer;
    const taken = this.parts.executor.submit(this);
    if (typeof taken === 'string') this.endWith({ kind: 'fault', fault: REFUSALS[taken] });
    else this.ticket = taken;
    return this;
  }

  /** The client left, or the answer is complete. */
  unsubscribe(): void {
    if (!this.over) this.observe(CANCELLED);
    this.over = true;
    this.slot?.release();
    this.ticket?.cancel('owner-gone');
  }

  /** The server stops waiting because it closes: the handler is aborted, and the client gets an error. */
  dismiss(): void {
    this.ticket?.cancel('closed');
  }

  started(run: Cancellable): void {
    this.running = run;
  }

  opened(): void {
    this.ticket?.open();
  }

  /** Events need an event stream, so a client that accepts only JSON does not get them. */
  send(event: OutgoingEvent, written: () => void): void {
    if (this.over || !this.forms.sse) {
      written();
      return;
    }
    const { kind, json, status } = this.dialect.encodeEvent(event, this.request);
    this.observer.next?.({ kind, json, status, written });
  }

  /** Called by the executor when there is a place. */
  start(ticket: JobTicket): void {
    this.ticket = ticket;
    if (this.lane === 'stream') this.slot = this.subscriptions.take(this.owner, this.isAnonymous);
    if (this.lane === 'stream' && this.slot === undefined) {
      this.settle({ kind: 'fault', fault: REFUSALS.overloaded });
      return;
    }
    try {
      const outcome = this.parts.dispatcher.dispatch(this.request, this);
      if (!(outcome instanceof Promise)) this.settle(outcome);
      else
        outcome.then(
          (settled) => this.settle(settled),
          (error: unknown) => this.fail(error),
        );
    } catch (error) {
      this.fail(error);
    }
    if (this.slot !== undefined) this.forget();
  }

  /** Called by the executor when the job ends before its work does. */
  stop(end: JobEnd, cause?: unknown): void {
    if (cause !== undefined) {
      this.fail(cause);
      return;
    }
    this.running?.cancel(REASONS[end]);
    try {
      if (!this.over) this.endWith(this.farewell(end));
    } catch (error) {
      logWithReference(logger, 'A request could not be ended', error);
    }
  }

  private farewell(end: JobEnd): Outcome {
    switch (end) {
      case 'deadline':
        return { kind: 'fault', fault: { kind: 'deadline', timeoutMs: this.timeoutMs } };
      case 'displaced':
        return { kind: 'fault', fault: REFUSALS.overloaded };
      case 'closed':
        return { kind: 'fault', fault: REFUSALS.closed };
      case 'cancelled':
      case 'owner-gone':
        return CANCELLED;
      default:
        return end satisfies never;
    }
  }

  private settle(outcome: Outcome): void {
    try {
      // A handler that blocked the event loop is late, although no timer could fire.
      if (!this.over && this.ticket?.expire() !== true) this.endWith(outcome);
      this.ticket?.finish();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Handles a fault of this library, or a result that cannot be encoded. */
  private fail(error: unknown): void {
    const reference = logWithReference(logger, 'A request failed', error);
    if (!this.over) this.endWith({ kind: 'fault', fault: { kind: 'internal', reference } });
    this.ticket?.finish();
  }

  /** Not for a result that cannot be encoded, which `fail` reports. */
  private endWith(outcome: Outcome): void {
    const message = this.dialect.encodeOutcome(outcome, this.request);
    this.over = true;
    this.observe(outcome);
    this.slot?.release();
    this.running?.finish();
    this.observer.next?.(message);
    this.observer.complete?.();
  }

  private observe(outcome: Outcome): void {
    this.parts.observer.ended(this.request, outcome, systemClock.now() - this.since);
  }

  /** Thousands of streams may stay open, so each keeps only the id of its request. */
  private forget(): void {
    const { id, client } = this.request;
    this.request = {
      operation: { kind: 'listen', filter: NOTHING },
      id,
      client: { protocolVersion: client.protocolVersion, capabilities: {} },
      meta: {},
      caller: { auth: () => undefined },
    };
  }
}

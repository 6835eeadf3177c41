import { Injectable } from '@nestjs/common';
import { defer, EMPTY, Observable, takeUntil } from 'rxjs';

import type { AdmissionOptions } from '../admission/admission-options.interface.js';
import { AdmissionPipeline, type AdmittedRequest } from '../admission/admission.pipeline.js';
import { OriginScreening } from '../admission/origin.screening.js';
import { DialectSelector } from '../dialects/supported-revisions.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { Executor } from '../execution/executor.js';
import type { Slots } from '../execution/slots.js';
import type { Fault } from '../model/fault.js';
import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { BodyReading, Exchange, ExchangeHead, OutgoingMessage, Refusal, ReplyForms } from '../wire/exchange.js';
import { INTERNAL_ERROR, INVALID_REQUEST, type JsonRpcNotification } from '../wire/json-rpc.js';
import { encodeError } from '../wire/json-rpc.codec.js';
import { refuse } from '../wire/refusal.js';
import { BodyBudget } from './body-budget.js';
import { CancellationScopes, ReplyStream, type ReplyDependencies } from './reply.stream.js';
import type { Admitted, Prepared, PreparedNotification, PreparedRequest } from './prepared.js';
import type { RequestObserver } from './request-observer.js';
import type { ServerLimits } from './server-limits.interface.js';

/**
 * START HERE. Carries one exchange from admission to reply; every transport ends here.
 *
 * screen   (admission)  whether the head of a request is acceptable: Origin, Host, method
 * prepare  (admission)  body, JSON, one message → (dialects) headers, envelope, method → an operation
 * execute  (execution)  a place to run, in turn and in time → (dispatch) the operation runs its handler
 *                       → (dialects) outcome and events become wire messages
 * accept                a notification takes effect
 */
@Injectable()
export class ExchangeHandler {
  /** Shared by all transports that read bodies for this server. */
  readonly bodies: BodyBudget;
  private readonly scopes = new CancellationScopes();
  private readonly parts: ReplyDependencies;

  constructor(
    private readonly admission: AdmissionPipeline,
    private readonly dialects: DialectSelector,
    dispatcher: Dispatcher,
    private readonly executor: Executor,
    private readonly observer: RequestObserver,
    { requestTimeoutMs, maxSubscriptions, maxSubscriptionsPerOwner, maxPendingBodyBytes }: ServerLimits,
  ) {
    this.bodies = new BodyBudget(maxPendingBodyBytes);
    const subscriptions = executor.slots('subscriptions', {
      limit: maxSubscriptions,
      perOwner: maxSubscriptionsPerOwner,
    });
    this.parts = { dispatcher, executor, subscriptions, scopes: this.scopes, observer, requestTimeoutMs };
  }

  /** Checks only the head, so it can run before any code of the app. */
  screen(head: ExchangeHead): Refusal | undefined {
    return this.observedRefusal(this.admission.screen(head));
  }

  /** Screens the heads of requests that the app's HTTP server does not receive, with options of their own. */
  screeningFor(options: AdmissionOptions, option: string): (head: ExchangeHead) => Refusal | undefined {
    const screening = new OriginScreening(options, option);
    return (head) => this.observedRefusal(screening.screen(head));
  }

  /** Counts a refusal of a transport in the same way as a refusal of this handler. */
  observedRefusal(refusal: Refusal | undefined): Refusal | undefined {
    if (refusal !== undefined) this.observer.refused(refusal.status);
    return refusal;
  }

  /** Admits and decodes. A refusal is returned, not thrown. No handler has run; only the body is awaited. */
  prepare(exchange: Exchange): Promise<Prepared> | Prepared {
    const head = this.admission.admitHead(exchange);
    if (!head.ok) return this.observed({ kind: 'refused', refusal: head.refusal });
    const body = exchange.body();
    return body instanceof Promise
      ? body.then((reading) => this.observed(this.decode(exchange, reading, head.forms)))
      : this.observed(this.decode(exchange, body, head.forms));
  }

  /**
   * A request emits zero or more notifications, then the response; a notification emits nothing. Unsubscribing and the
   * signal cancel the handler.
   */
  execute(prepared: Admitted, signal?: AbortSignal): Observable<OutgoingMessage> {
    if (prepared.kind === 'accepted') {
      return defer(() => {
        this.accept(prepared);
        return EMPTY;
      });
    }
    const messages = new Observable<OutgoingMessage>((subscriber) => this.stream(prepared).subscribe(subscriber));
    return signal === undefined ? messages : messages.pipe(takeUntil(aborted(signal)));
  }

  /** The same for a request with one listener, without the cost of an Observable. */
  stream(prepared: PreparedRequest, subscriptions?: Slots): ReplyStream {
    return new ReplyStream(this.parts, prepared, subscriptions);
  }

  /** Slots for the subscriptions of one connection; they count towards the limit of the server. */
  subscriptionPlaces(limit: number): Slots {
    return this.executor.slots('subscriptions', { limit });
  }

  /** Works on a busy server, too. A stream with a connection of its own is ended by that connection only. */
  accept({ cancels, endsStreams }: PreparedNotification): void {
    if (cancels === undefined) return;
    if (endsStreams === true || this.executor.laneOf(cancels) !== 'stream') this.executor.cancel(cancels);
  }

  /** Time limit of a request in milliseconds; `Infinity` for no limit. */
  get requestTimeoutMs(): number {
    return this.parts.requestTimeoutMs;
  }

  /** The refusal of a request that code of the app held for too long before its body was read. */
  overdue(): Refusal {
    const message = `The request took longer than ${this.requestTimeoutMs} ms`;
    const refusal = refuse(504, message, { code: INTERNAL_ERROR, closeConnection: true });
    this.observer.refused(refusal.status);
    return refusal;
  }

  /** The answer to an admitted request that an interceptor of the app prevented from running. */
  conclude({ request, dialect }: PreparedRequest, fault: Fault, durationMs: number): OutgoingMessage {
    const outcome: Outcome = { kind: 'fault', fault };
    this.observer.ended(request, outcome, durationMs);
    return dialect.encodeOutcome(outcome, request);
  }

  private observed(prepared: Prepared): Prepared {
    if (prepared.kind === 'refused') this.observer.refused(prepared.refusal.status);
    return prepared;
  }

  private decode(exchange: Exchange, reading: BodyReading, forms: ReplyForms): Prepared {
    const admission = this.admission.admitBody(reading, forms);
    if (admission.kind === 'refused') return admission;
    return admission.kind === 'notification'
      ? this.decodeNotification(exchange, admission.message)
      : this.decodeRequest(exchange, admission);
  }

  private decodeNotification({ head, caller }: Exchange, message: JsonRpcNotification): Prepared {
    const notice = this.dialects.select({ head }).decodeNotification(message);
    const cancels = notice === undefined ? undefined : this.scopes.keyOf(caller, notice.requestId);
    if (cancels === undefined) return { kind: 'accepted' };
    return { kind: 'accepted', cancels, endsStreams: caller.clientInstance !== undefined };
  }

  private decodeRequest({ head, caller }: Exchange, { message, body, forms }: AdmittedRequest): Prepared {
    const incoming = { message, head, caller, body };
    const dialect = this.dialects.select(incoming);
    const decoding = dialect.decode(incoming);
    if (!decoding.ok) return { kind: 'refused', refusal: refusalOf(dialect.encodeFault(decoding.fault, message.id)) };
    const { request } = decoding;
    return lacksEventStream(request, forms)
      ? { kind: 'refused', refusal: refuseWithoutEventStream(request) }
      : { kind: 'request', request, dialect, forms };
  }
}

/** The error response with the id of the request, as a refusal. */
function refusalOf({ json: body, status, headers }: OutgoingMessage): Refusal {
  return headers === undefined ? { status, body } : { status, body, headers };
}

/** A subscription can only be answered with an event stream. */
function lacksEventStream({ operation }: OperationRequest, { sse }: ReplyForms): boolean {
  return operation.kind === 'listen' && !sse;
}

function refuseWithoutEventStream({ id }: OperationRequest): Refusal {
  const message = 'A subscription is a stream; send Accept: application/json, text/event-stream';
  return { status: 406, body: encodeError(id, { code: INVALID_REQUEST, message }) };
}

/** Fails when the signal aborts, with its reason. */
function aborted(signal: AbortSignal): Observable<never> {
  return new Observable((subscriber) => {
    const fail = (): void => subscriber.error(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
    return () => signal.removeEventListener('abort', fail);
  });
}

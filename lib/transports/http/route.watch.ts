import { Logger } from '@nestjs/common';
import { of } from 'rxjs';

import { logWithReference } from '../../errors/failure.log.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared, PreparedRequest } from '../../server/prepared.js';
import type { OutgoingMessage, Refusal } from '../../wire/exchange.js';
import { INTERNAL_ERROR } from '../../wire/json-rpc.js';
import { refuse } from '../../wire/refusal.js';
import type { RouteNotes } from '../node-http/http-request.js';
import { type ReplyRoom, WaitSweeper } from '../node-http/reply-room.js';
import { ReplyWriter } from '../node-http/json-or-event-stream.writer.js';
import type { HttpPlatform } from '../node-http/http-platform.js';
import { refusalHeaders } from './early.screening.js';
import { wordsOf } from '../../errors/http-error.js';
import { McpProtocolError } from '../../errors/mcp-protocol.error.js';
import type { Fault } from '../../model/fault.js';
import { isHttpRefusal } from '../listener/guard.refusal.js';
import { messageOf, warn } from '../../errors/log-line.js';

/** The route of the endpoint. */
export interface WatchedRoute {
  readonly path: string;
  /** Whether interceptors run between admission and the controller; read at the first request. */
  readonly isIntercepted: () => boolean;
}

/**
 * Gives every request to the route exactly one answer in time, whatever code of the app around the controller does: guards
 * that never decide, interceptors that throw, hold a request back, or end it while the controller still answers.
 */
export class RouteWatch {
  private readonly logger = new Logger('McpModule');
  private readonly alarm: RouteAlarm;
  private readonly sweeper: WaitSweeper<RouteNotes>;
  private isIntercepted: boolean | undefined;

  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly room: ReplyRoom,
    private readonly platform: () => HttpPlatform,
    private readonly route: WatchedRoute,
  ) {
    const { requestTimeoutMs } = exchanges;
    this.alarm = new RouteAlarm(route.path, requestTimeoutMs);
    this.sweeper = new WaitSweeper(requestTimeoutMs, {
      isOver: (notes) => this.isAnswered(notes),
      expire: (notes) => this.expire(notes),
    });
  }

  /** The request was screened and the next handler has returned; most requests are further by then. */
  passed(notes: RouteNotes): void {
    if (notes.stage === 'arrived' && !this.isAnswered(notes)) this.sweeper.add(notes);
  }

  /** The guards of the app have allowed the request. Returns whether it still needs an answer. */
  guarded(notes: RouteNotes): boolean {
    if (notes.stage !== 'arrived') return false;
    this.sweeper.delete(notes);
    notes.stage = 'guarded';
    return true;
  }

  admitted(notes: RouteNotes, prepared: Prepared): void {
    notes.prepared = prepared;
    notes.stage = 'admitted';
    this.isIntercepted ??= this.route.isIntercepted();
    if (this.isIntercepted) this.sweeper.add(notes);
  }

  /** Returns the admitted message once, so that the request of a long answer does not retain it. */
  take(notes: RouteNotes): Prepared | undefined {
    const { prepared } = notes;
    if (prepared === undefined) return undefined;
    notes.prepared = undefined;
    this.sweeper.delete(notes);
    return prepared;
  }

  /** Returns whether an error of the route concerned the endpoint, and was handled. */
  caught(error: unknown, notes: RouteNotes): boolean {
    switch (notes.stage) {
      case 'admitted':
        this.fail(error, notes);
        return true;
      case 'taken':
        this.alarm.late(error);
        return true;
      case 'answered':
        return true;
      case 'arrived':
      case 'guarded':
      case 'refused':
        this.sweeper.delete(notes);
        notes.stage = 'refused';
        return false;
      default:
        return notes.stage satisfies never;
    }
  }

  refuse(response: unknown, refusal: Refusal): void {
    const { headersSent, req } = this.platform().rawResponse(response);
    // The closing app has answered while a guard was running.
    if (headersSent) return;
    const { status, body = '' } = refusal;
    this.platform().send(response, { status, headers: refusalHeaders(refusal, req), body });
  }

  private isAnswered({ response }: RouteNotes): boolean {
    const { headersSent, destroyed } = this.platform().rawResponse(response);
    return headersSent || destroyed;
  }

  private expire(notes: RouteNotes): void {
    if (notes.stage === 'admitted') {
      this.alarm.held();
      this.answer(notes, { fault: { kind: 'deadline', timeoutMs: this.exchanges.requestTimeoutMs } });
      return;
    }
    this.alarm.undecided();
    notes.stage = 'answered';
    this.refuse(notes.response, this.exchanges.overdue());
  }

  private fail(error: unknown, notes: RouteNotes): void {
    this.alarm.failed();
    const hide = (): string =>
      logWithReference(this.logger, `An interceptor of type http failed for ${this.route.path}`, error);
    this.answer(notes, failureOf(error, hide));
  }

  private answer(notes: RouteNotes, failure: InterceptorFailure): void {
    const prepared = this.take(notes);
    notes.stage = 'answered';
    if (this.isAnswered(notes)) return;
    if (prepared?.kind === 'request') this.conclude(notes, prepared, failure);
    else this.refuse(notes.response, withoutId(failure));
  }

  private conclude({ response, since }: RouteNotes, prepared: PreparedRequest, failure: InterceptorFailure): void {
    const message = this.exchanges.conclude(prepared, failure.fault, performance.now() - since);
    const { status = message.status } = failure;
    const messages = of<OutgoingMessage>({ ...message, status });
    void new ReplyWriter(this.platform(), response, prepared.forms, this.room).write(messages);
  }
}

/** The answer to a notification: a status without an id. */
function withoutId({ fault, status }: InterceptorFailure): Refusal {
  const isLate = fault.kind === 'deadline';
  const message = isLate ? `The request took longer than ${fault.timeoutMs} ms` : 'Internal error';
  return refuse(status ?? (isLate ? 504 : 500), message, { code: INTERNAL_ERROR });
}

/** The answer for an error of an interceptor. */
interface InterceptorFailure {
  readonly fault: Fault;
  /** HTTP status; omitted if the fault determines it. */
  readonly status?: number;
}

const UNKNOWN_STATUS = 500;

/** HTTP exceptions below 500 are shown to the client; other errors are logged, and `hide` returns the reference. */
export function failureOf(error: unknown, hide: () => string): InterceptorFailure {
  const failure = explain(error);
  return typeof failure === 'number' ? { fault: { kind: 'internal', reference: hide() }, status: failure } : failure;
}

/** Only the status for an error whose text is not shown, or cannot be read. */
function explain(error: unknown): InterceptorFailure | number {
  try {
    if (McpProtocolError.is(error)) {
      return { fault: { kind: 'protocol', code: error.rpcCode, message: error.message, data: error.data } };
    }
    if (!isHttpRefusal(error)) return UNKNOWN_STATUS;
    const status = error.getStatus();
    if (status >= UNKNOWN_STATUS) return status;
    const message = wordsOf(error) ?? 'The request was refused';
    if (status === 401) return { fault: { kind: 'unauthenticated', message }, status };
    if (status === 403) return { fault: { kind: 'forbidden', message }, status };
    return { fault: { kind: 'protocol', code: status, message }, status };
  } catch {
    return UNKNOWN_STATUS;
  }
}

type Trouble = 'undecided' | 'held' | 'failed' | 'late';

/** Warns once for each endpoint and kind of problem that code of the app around the route causes. */
class RouteAlarm {
  private readonly logger = new Logger('McpModule');
  private readonly raised = new Set<Trouble>();

  constructor(
    private readonly path: string,
    private readonly timeoutMs: number,
  ) {}

  /** Guards or middleware have not allowed a request in time. */
  undecided(): void {
    this.raise(
      'undecided',
      `A guard or a middleware of the app has held a request to ${this.path} for ${this.timeoutMs} ms (limits.requestTimeoutMs), so it was answered with 504. Set a timeout for the operation that it waits for.`,
    );
  }

  /** An interceptor never called `next.handle()`, and threw nothing. */
  held(): void {
    this.raise(
      'held',
      `An interceptor of type http has not let a request to ${this.path} through within ${this.timeoutMs} ms (limits.requestTimeoutMs), so it was answered with 504. An interceptor cannot answer MCP requests by a value of its own: let it call next.handle() where the path is ${this.path}.`,
    );
  }

  /** An interceptor failed, or completed without a value, before the controller ran. */
  failed(): void {
    this.raise(
      'failed',
      `An interceptor of type http has ended a request to ${this.path} before it reached the endpoint, so it was answered with an error. Let the interceptor call next.handle() where the path is ${this.path}, and refuse callers by a guard instead.`,
    );
  }

  /** An interceptor failed after the controller had run, by a timeout for example. */
  late(error: unknown): void {
    this.raise(
      'late',
      `An interceptor of type http has ended a request to ${this.path} with an error (${messageOf(error)}), while the endpoint answers it. The error has no effect: the answer of the endpoint goes out. Exclude ${this.path} from the interceptor, or let it act where context.getType() is 'mcp'; how long requests may take is set by limits.requestTimeoutMs and by timeoutMs of a component.`,
    );
  }

  private raise(trouble: Trouble, text: string): void {
    if (this.raised.has(trouble)) return;
    this.raised.add(trouble);
    warn(this.logger, text);
  }
}

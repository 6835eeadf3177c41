import { Logger } from '@nestjs/common';
import type { Observer, Subscribable, Unsubscribable } from 'rxjs';

import type { Dialect } from '../dialects/dialect.js';
import type { Call, CallLink } from '../dispatch/calls/call.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import { logWithReference } from '../errors/error-reference.js';
import type { CallEvent } from '../model/event.js';
import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { OutgoingMessage, ReplyForms } from '../wire/exchange.js';

const logger = new Logger('McpExchange');

/** One answer on its way: events while the handler runs, then exactly one response. */
export class ReplyStream implements CallLink, Subscribable<OutgoingMessage>, Unsubscribable {
  private observer: Partial<Observer<OutgoingMessage>> = {};
  private call: Call | undefined;
  private over = false;

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly dialect: Dialect,
    private readonly request: OperationRequest,
    private readonly forms: ReplyForms,
  ) {}

  started(call: Call): void {
    this.call = call;
    if (this.over) call.cancel();
  }

  /** Events need a stream, so a client that takes JSON alone never sees them. */
  send(event: CallEvent): Promise<void> | undefined {
    if (this.over || !this.forms.sse) return undefined;
    return new Promise((written) => {
      this.observer.next?.({ ...this.dialect.encodeEvent(event, this.request), written });
    });
  }

  /** Starts the operation; called once. */
  subscribe(observer: Partial<Observer<OutgoingMessage>>): Unsubscribable {
    this.observer = observer;
    try {
      const outcome = this.dispatcher.dispatch(this.request, this);
      if (outcome instanceof Promise) outcome.then(this.finish, this.fail);
      else this.answer(outcome);
    } catch (error) {
      this.fail(error);
    }
    return this;
  }

  /** Whoever listened has gone, or has everything. */
  unsubscribe(): void {
    this.over = true;
    this.call?.cancel();
  }

  private readonly finish = (outcome: Outcome): void => {
    try {
      this.answer(outcome);
    } catch (error) {
      this.fail(error);
    }
  };

  private answer(outcome: Outcome): void {
    if (!this.over) this.end(this.dialect.encodeOutcome(outcome, this.request));
  }

  /** Only a fault of this library, or a result that cannot be written, gets here. */
  private readonly fail = (error: unknown): void => {
    const reference = logWithReference(logger, 'A request failed', error);
    if (!this.over) this.end(this.dialect.encodeFault({ kind: 'internal', reference }, this.request.id));
  };

  private end(message: OutgoingMessage): void {
    this.over = true;
    this.call?.finish();
    this.observer.next?.(message);
    this.observer.complete?.();
  }
}

import { randomUUID } from 'node:crypto';

import { Logger } from '@nestjs/common';
import type { Subscriber } from 'rxjs';

import type { Dialect } from '../dialects/dialect.js';
import type { Call } from '../dispatch/calls/call.js';
import type { CallLink } from '../dispatch/calls/call.runner.js';
import type { CallEvent } from '../model/event.js';
import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { OutgoingMessage, ReplyForms } from '../wire/exchange.js';

const logger = new Logger('McpExchange');

/** One answer on its way: events while the handler runs, then exactly one response. */
export class ReplyStream implements CallLink {
  private call: Call | undefined;
  private over = false;

  constructor(
    private readonly subscriber: Subscriber<OutgoingMessage>,
    private readonly dialect: Dialect,
    private readonly request: OperationRequest,
    private readonly forms: ReplyForms,
  ) {}

  readonly started = (call: Call): void => {
    this.call = call;
    if (this.over) call.cancel();
  };

  /** Events need a stream, so a client that takes JSON alone never sees them. */
  readonly sink = (event: CallEvent): Promise<void> | undefined => {
    if (this.over || !this.forms.sse) return undefined;
    return new Promise((written) => {
      this.subscriber.next({ ...this.dialect.encodeEvent(event, this.request), written });
    });
  };

  settle(dispatch: () => Outcome | Promise<Outcome>): void {
    let outcome: Outcome | Promise<Outcome>;
    try {
      outcome = dispatch();
    } catch (error) {
      this.fail(error);
      return;
    }
    if (outcome instanceof Promise)
      outcome.then((settled) => this.answer(settled)).catch((error: unknown) => this.fail(error));
    else this.answer(outcome);
  }

  /** Whoever listened has gone, or has everything. */
  close(): void {
    this.over = true;
    this.call?.cancel();
  }

  private answer(outcome: Outcome): void {
    if (this.over) return;
    const message = this.dialect.encodeOutcome(outcome, this.request);
    this.end(message);
  }

  /** Only a fault of this library, or a result that cannot be written, gets here. */
  private fail(error: unknown): void {
    const reference = randomUUID();
    const stack = (error as { stack?: unknown } | null)?.stack;
    logger.error(`A request failed [${reference}]`, typeof stack === 'string' ? stack : String(error));
    if (!this.over) this.end(this.dialect.encodeFault({ kind: 'internal', reference }, this.request.id));
  }

  private end(message: OutgoingMessage): void {
    this.over = true;
    this.call?.finish();
    this.subscriber.next(message);
    this.subscriber.complete();
  }
}

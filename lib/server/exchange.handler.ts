import { Injectable } from '@nestjs/common';
import { Observable, of, type Subscribable } from 'rxjs';

import { AdmissionPipeline } from '../admission/admission.pipeline.js';
import { DialectSelector } from '../dialects/dialect.selector.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import type { BodyReading, Exchange, ExchangeHead, OutgoingMessage, Refusal, ReplyForms } from '../wire/exchange.js';
import type { Prepared, PreparedRequest } from './prepared.js';
import { ReplyStream } from './reply.stream.js';

/**
 * START HERE. Carries one exchange from admission to reply; every transport ends here.
 *
 * screen   (admission)  may this request knock at all: Origin, Host, method
 * prepare  (admission)  body, JSON, one message → (dialects) headers, envelope, method → an operation
 * execute  (dispatch)   the operation runs its handler → (dialects) outcome and events become wire messages
 */
@Injectable()
export class ExchangeHandler {
  constructor(
    private readonly admission: AdmissionPipeline,
    private readonly dialects: DialectSelector,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Looks at the head alone, so it can run before anything of the app does. */
  screen(head: ExchangeHead): Refusal | undefined {
    return this.admission.screen(head);
  }

  /** Admits and decodes; a refusal is a value, no handler has run. Waits for nothing but the body. */
  prepare(exchange: Exchange): Promise<Prepared> | Prepared {
    const head = this.admission.admitHead(exchange);
    if (!head.ok) return { kind: 'refused', refusal: head.refusal };
    const body = exchange.body();
    return body instanceof Promise
      ? body.then((reading) => this.decode(exchange, reading, head.forms))
      : this.decode(exchange, body, head.forms);
  }

  /** Zero or more notifications, then the response. Unsubscribing cancels the handler. */
  execute(prepared: PreparedRequest): Observable<OutgoingMessage> {
    return new Observable((subscriber) => this.stream(prepared).subscribe(subscriber));
  }

  /** The same for one listener, without what an Observable costs. */
  stream({ request, dialect, forms }: PreparedRequest): Subscribable<OutgoingMessage> {
    return new ReplyStream(this.dispatcher, dialect, request, forms);
  }

  /** Both steps at once, for hosts that need nothing in between. */
  async handle(exchange: Exchange): Promise<Refusal | Observable<OutgoingMessage> | undefined> {
    const prepared = await this.prepare(exchange);
    switch (prepared.kind) {
      case 'request':
        return this.execute(prepared);
      case 'faulty':
        return of(prepared.answer);
      case 'refused':
        return prepared.refusal;
      case 'accepted':
        return undefined;
      default:
        return prepared satisfies never;
    }
  }

  private decode(exchange: Exchange, reading: BodyReading, forms: ReplyForms): Prepared {
    const admission = this.admission.admitBody(reading, forms);
    if (admission.kind === 'refused') return admission;
    if (admission.kind === 'notification') return { kind: 'accepted' };
    const incoming = { message: admission.message, head: exchange.head, caller: exchange.caller };
    const dialect = this.dialects.select(incoming);
    const decoding = dialect.decode(incoming);
    return decoding.ok
      ? { kind: 'request', request: decoding.request, dialect, forms }
      : { kind: 'faulty', answer: dialect.encodeFault(decoding.fault, admission.message.id) };
  }
}

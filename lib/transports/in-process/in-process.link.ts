import { AsyncResource } from 'node:async_hooks';
import { Observable, type Subscriber } from 'rxjs';

import { MalformedAnswerError, ServerClosedError } from '../../errors/client.errors.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared, PreparedRequest } from '../../server/prepared.js';
import type { Link, LinkMessage } from '../../wire/link.js';
import type { OpenReplies, OpenReply } from '../../server/open-replies.js';
import { type TrustedProperties, ownProperty } from '../trusted-properties.js';
import { type StandInContent, StandInRequest } from './stand-in-request.js';
import type { Caller } from '../../model/peer.js';
import type { BodyReading, Exchange } from '../../wire/exchange.js';
import { StandInResponse } from './stand-in-response.js';

/** Dependencies that all links to one server share. */
export interface InProcessServer {
  readonly exchanges: ExchangeHandler;
  readonly properties: TrustedProperties;
  readonly replies: OpenReplies;
  /** Error for messages after the server has closed. */
  refuse(): Error | undefined;
}

/** One caller within the process; no state is kept between its messages. */
export class InProcessLink implements Link {
  constructor(
    private readonly server: InProcessServer,
    private readonly parts: StandInContent,
  ) {}

  send(json: string): Observable<LinkMessage> {
    return new Observable((subscriber) => {
      const refusal = this.server.refuse();
      if (refusal !== undefined) {
        subscriber.error(refusal);
        return;
      }
      // An asynchronous context that a guard enters must not leak to the caller.
      new AsyncResource('McpMessage').runInAsyncScope(() => this.take(json, subscriber));
    });
  }

  private take(json: string, subscriber: Subscriber<LinkMessage>): void {
    const { exchanges, properties } = this.server;
    const prepared = exchanges.prepare(new InProcessExchange(json, this.parts, properties, this));
    if (!(prepared instanceof Promise)) {
      this.answer(prepared, subscriber);
      return;
    }
    prepared.then(
      (settled) => this.answer(settled, subscriber),
      (error: unknown) => subscriber.error(error),
    );
  }

  private answer(prepared: Prepared, subscriber: Subscriber<LinkMessage>): void {
    switch (prepared.kind) {
      case 'request':
        this.run(prepared, subscriber);
        return;
      case 'refused': {
        const { body, status } = prepared.refusal;
        if (body !== undefined) subscriber.next({ json: body });
        else subscriber.error(new MalformedAnswerError(`status ${status} without a message`));
        break;
      }
      case 'accepted':
        this.server.exchanges.accept(prepared);
        break;
      default:
        prepared satisfies never;
    }
    subscriber.complete();
  }

  private run(prepared: PreparedRequest, subscriber: Subscriber<LinkMessage>): void {
    if (subscriber.closed) return;
    const { exchanges, replies } = this.server;
    const stream = exchanges.stream(prepared);
    const entry: OpenReply = {
      dismiss: () => stream.dismiss(),
      destroy: () => subscriber.error(new ServerClosedError()),
    };
    let isOver = false;
    replies.add(entry);
    subscriber.add(() => {
      replies.delete(entry);
      if (!isOver) stream.unsubscribe();
    });
    stream.subscribe({
      next: (message) => {
        if (message.kind !== 'nothing') subscriber.next(message);
      },
      complete: () => {
        isOver = true;
        subscriber.complete();
      },
    });
  }
}

/** One message of a caller within the process as an exchange, which also identifies its caller. */
class InProcessExchange implements Exchange, Caller {
  readonly isStandIn = true;
  readonly request: StandInRequest;
  readonly response = new StandInResponse();

  constructor(
    private readonly text: string,
    parts: StandInContent,
    private readonly properties: TrustedProperties,
    /** The key of an anonymous caller. */
    readonly connection: object,
  ) {
    this.request = new StandInRequest(parts);
  }

  get caller(): Caller {
    return this;
  }

  /** A guard of a component may set it, as over HTTP. */
  auth(): unknown {
    return ownProperty(this.request, this.properties.auth);
  }

  cancellationScope(): unknown {
    return ownProperty(this.request, this.properties.cancellationScope);
  }

  body(): BodyReading {
    return { ok: true, bytes: this.text };
  }
}

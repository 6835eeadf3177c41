import type { Observer } from 'rxjs';

import type { Caller } from '../../model/peer.js';
import type { BodyReading, Exchange, OutgoingMessage } from '../../wire/exchange.js';
import { StandInRequest } from '../in-process/stand-in-request.js';
import { StandInResponse } from '../in-process/stand-in-response.js';
import { ownProperty } from '../trusted-properties.js';
import type { ReplyStream } from '../../server/reply.stream.js';
import type { RequestId } from '../../wire/json-rpc.js';
import type { OpenReplies, OpenReply } from '../../server/open-replies.js';
import type { LineWriter } from './line.writer.js';

/** The client of a pipe. */
export interface StdioClient {
  /** Its authentication, as the app provides it. */
  readonly auth: unknown;
  /** The property of a request in which guards look for it. */
  readonly authProperty: string;
}

const NO_HEADERS = Object.freeze({});

/** One line as an exchange, which also identifies its caller. The stand-in request is created on first use. */
export class StdioExchange implements Exchange, Caller {
  readonly isStandIn = true;
  private requested: StandInRequest | undefined;
  private responded: StandInResponse | undefined;

  constructor(
    private readonly line: Uint8Array,
    readonly clientInstance: StdioClient,
  ) {}

  get caller(): Caller {
    return this;
  }

  get request(): StandInRequest {
    if (this.requested === undefined) {
      const { auth, authProperty } = this.clientInstance;
      const properties = auth === undefined ? {} : { [authProperty]: auth };
      this.requested = new StandInRequest({ headers: NO_HEADERS, properties });
    }
    return this.requested;
  }

  get response(): StandInResponse {
    this.responded ??= new StandInResponse();
    return this.responded;
  }

  /** A guard of a component may set it, as over HTTP. */
  auth(): unknown {
    const { auth, authProperty } = this.clientInstance;
    return this.requested === undefined ? auth : ownProperty(this.requested, authProperty);
  }

  body(): BodyReading {
    return { ok: true, bytes: this.line };
  }
}

/** One answer that is being written. */
export class StdioReply implements OpenReply, Partial<Observer<OutgoingMessage>> {
  constructor(
    private readonly id: RequestId,
    private readonly stream: ReplyStream,
    private readonly writer: LineWriter,
    private readonly replies: OpenReplies,
  ) {}

  begin(): void {
    this.replies.add(this);
    this.stream.subscribe(this);
  }

  next({ kind, json, written }: OutgoingMessage): void {
    if (kind !== 'nothing') this.writer.write(json, this.id, written);
  }

  complete(): void {
    this.replies.delete(this);
  }

  dismiss(): void {
    this.stream.dismiss();
  }

  destroy(): void {
    this.replies.delete(this);
    this.stream.unsubscribe();
  }
}

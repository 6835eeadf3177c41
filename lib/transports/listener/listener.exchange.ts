import type { IncomingMessage, ServerResponse } from 'node:http';

import type { BodyReading } from '../../wire/exchange.js';
import { HttpExchange, type EndpointParts } from '../http/http.exchange.js';
import type { RequestNotes } from '../node-http/http-request.js';

/** One request to the own listener; a client that waits for leave to send its body gets it when the body is read. */
export class ListenerExchange extends HttpExchange {
  constructor(
    request: IncomingMessage,
    private readonly answer: ServerResponse,
    notes: RequestNotes,
    parts: EndpointParts,
    private readonly expectsContinue: boolean,
  ) {
    super(request, answer, request, notes, parts);
  }

  override body(): Promise<BodyReading> | BodyReading {
    if (this.expectsContinue) this.answer.writeContinue();
    return super.body();
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ExchangeHandler } from '../../exchange/exchange.handler.js';
import type { Refusal } from '../../wire/exchange.js';
import { JSON_MEDIA_TYPE } from '../../wire/media-type.js';
import { writeWhole } from '../node-http/whole-answer.js';
import { headOf, leaveNotes, MASKED_CONTENT_TYPE, notesOf, type RouteNotes } from '../node-http/http-request.js';
import { refuseFraming } from '../node-http/request-framing.js';
import { enterPipeline, isWaiting, queueAnswer } from '../node-http/pipeline.js';
import { announcesBody, closeUnlessRead } from '../node-http/unread-body.js';
import type { Door } from '../node-http/http-platform.js';

/** Stands in front of the whole app: Origin, Host and method of this endpoint, before any middleware, guard or body byte. */
export class HttpDoor {
  private readonly streams = new OpenStreams();

  constructor(
    private readonly exchanges: ExchangeHandler,
    /** Told when the app has not let a request pass at once, or has. */
    private readonly passed: (notes: RouteNotes) => void,
  ) {}

  readonly pass: Door = (request, response, next, framework) => {
    const waits = isWaiting(response);
    if (waits && !enterPipeline(request)) return;
    if (notesOf(request) !== undefined) {
      next();
      return;
    }
    const full = waits ? this.exchanges.observedRefusal(queueAnswer(request, response)) : undefined;
    if (full !== undefined) {
      writeRefusal(response, full);
      return;
    }
    if (request.httpVersionMajor === 2) this.streams.add(response);
    const contentType = request.headers['content-type'];
    const keepsAlive = response.shouldKeepAlive;
    if (announcesBody(request)) closeUnlessRead(request, response);
    const refusal = this.screen(request, contentType);
    // Preflights are the app's CORS to answer; their Origin was checked all the same.
    const isPreflight = request.method === 'OPTIONS' && refusal?.status === 405;
    if (refusal !== undefined && !isPreflight) {
      writeRefusal(response, refusal);
      return;
    }
    if (request.headers.origin !== undefined) response.setHeader('access-control-expose-headers', 'WWW-Authenticate');
    const notes = leaveNotes(request, framework, { contentType, screened: !isPreflight, keepsAlive });
    request.headers['content-type'] = MASKED_CONTENT_TYPE;
    next();
    this.passed(notes);
  };

  private screen(request: IncomingMessage, contentType: string | undefined): Refusal | undefined {
    const { exchanges } = this;
    return exchanges.observedRefusal(refuseFraming(request)) ?? exchanges.screen(headOf(request, contentType));
  }

  /** Answers over HTTP/2 that are not complete; those of HTTP/1.1 are found with their connections. */
  openStreams(): readonly ServerResponse[] {
    return this.streams.all();
  }
}

/** How many answers are remembered before it is looked which of them are complete. */
const LEAST_REMEMBERED = 64;

/** Answers over HTTP/2, without a listener for each of them. */
class OpenStreams {
  private responses: ServerResponse[] = [];
  private room = LEAST_REMEMBERED;

  add(response: ServerResponse): void {
    if (this.responses.length >= this.room) {
      this.responses = this.responses.filter(isOpen);
      this.room = 2 * this.responses.length + LEAST_REMEMBERED;
    }
    this.responses.push(response);
  }

  all(): readonly ServerResponse[] {
    return this.responses.filter(isOpen);
  }
}

/** Its stream gives the connection away when it closes. */
function isOpen({ socket }: ServerResponse): boolean {
  return Boolean(socket);
}

export function writeRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status, body = '' } = refusal;
  writeWhole(response, status, refusalHeaders(refusal, response.req), body);
}

/** Requests of HTTP/2 share their connection, and none of them may speak of it. */
export function refusalHeaders(
  { headers = {}, body, closeConnection }: Refusal,
  { httpVersionMajor }: Pick<IncomingMessage, 'httpVersionMajor'>,
): Record<string, string> {
  return {
    ...headers,
    ...(body === undefined ? {} : { 'content-type': JSON_MEDIA_TYPE }),
    ...(closeConnection === true && httpVersionMajor !== 2 ? { connection: 'close' } : {}),
  };
}

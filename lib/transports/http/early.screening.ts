import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Refusal } from '../../wire/exchange.js';
import { JSON_MEDIA_TYPE } from '../../wire/headers.js';
import { writeWhole, type EarlyHandler } from '../node-http/http-platform.js';
import {
  headOf,
  isMultiplexed,
  leaveNotes,
  MASKED_CONTENT_TYPE,
  notesOf,
  type RouteNotes,
  refuseFraming,
} from '../node-http/http-request.js';
import { enterPipeline, isWaiting, queueAnswer, announcesBody, closeUnlessRead } from '../node-http/connection.js';

/** Stands in front of the whole app: Origin, Host and method of this endpoint, before any middleware, guard or body byte. */
export class EarlyScreening {
  private readonly streams = new OpenStreams();

  constructor(
    private readonly exchanges: ExchangeHandler,
    /** Told when the app has not let a request pass at once, or has. */
    private readonly passed: (notes: RouteNotes) => void,
  ) {}

  readonly pass: EarlyHandler = (request, response, next, framework) => {
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
    const { headers } = request;
    const head = headOf(request, headers);
    const isShared = isMultiplexed(request);
    const keepsAlive = response.shouldKeepAlive;
    if (isShared) this.streams.add(response);
    else if (announcesBody(head)) closeUnlessRead(request, response);
    const framing = isShared ? undefined : refuseFraming(request, head);
    const refusal = this.exchanges.observedRefusal(framing) ?? this.exchanges.screen(head);
    // Preflights are the app's CORS to answer; their Origin was checked all the same.
    const isPreflight = refusal?.status === 405 && head.method === 'OPTIONS';
    if (refusal !== undefined && !isPreflight) {
      writeRefusal(response, refusal);
      return;
    }
    if (headers.origin !== undefined) response.setHeader('access-control-expose-headers', 'WWW-Authenticate');
    const notes = leaveNotes(request, framework, {
      head,
      isMultiplexed: isShared,
      screened: !isPreflight,
      keepsAlive,
    });
    headers['content-type'] = MASKED_CONTENT_TYPE;
    next();
    this.passed(notes);
  };

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

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

/** Checks Origin, Host and method before middleware and guards of the app run, and before a byte of the body is read. */
export class EarlyScreening {
  private readonly streams = new OpenStreams();

  constructor(
    private readonly exchanges: ExchangeHandler,
    /** Called when the next handler has returned, whether or not the app has let the request pass. */
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
    // Preflights are answered by the CORS settings of the app; their Origin was checked nevertheless.
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

  /** Incomplete answers over HTTP/2; those of HTTP/1.1 are found by their connections. */
  openStreams(): readonly ServerResponse[] {
    return this.streams.all();
  }
}

/** Number of answers that are kept before complete ones are removed. */
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

/** A closed stream has no socket any more. */
function isOpen({ socket }: ServerResponse): boolean {
  return Boolean(socket);
}

export function writeRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status, body = '' } = refusal;
  writeWhole(response, status, refusalHeaders(refusal, response.req), body);
}

/** HTTP/2 forbids headers about the connection, which requests share. */
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

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Refusal } from '../../wire/exchange.js';
import { writeWhole } from './express.platform.js';
import { headOf, leaveNotes } from './http-request.js';

/** A type that no body parser wants, so that the stream of this endpoint stays unread. */
export const MASKED_CONTENT_TYPE = 'application/x-mcp-raw';

const JSON_TYPE = 'application/json';

/** Stands in front of the whole app: Origin, Host and method of this endpoint, before any middleware, guard or body byte. */
export class HttpDoor {
  private paths: ReadonlySet<string> | undefined;

  constructor(
    private readonly exchanges: ExchangeHandler,
    /** Asked at the first request, since the global prefix is set after providers are made. */
    private readonly findPaths: () => readonly string[],
  ) {}

  readonly pass = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!this.isOurs(request.url ?? '')) {
      next();
      return;
    }
    const contentType = request.headers['content-type'];
    const refusal = this.exchanges.screen(headOf(request, contentType));
    // Preflights are the app's CORS to answer; their Origin was checked all the same.
    const isPreflight = request.method === 'OPTIONS' && refusal?.status === 405;
    if (refusal !== undefined && !isPreflight) {
      writeRefusal(response, refusal);
      return;
    }
    if (request.headers.origin !== undefined) response.setHeader('access-control-expose-headers', 'WWW-Authenticate');
    leaveNotes(request, { contentType, screened: !isPreflight });
    request.headers['content-type'] = MASKED_CONTENT_TYPE;
    next();
  };

  private isOurs(url: string): boolean {
    this.paths ??= new Set(this.findPaths().map(comparable));
    const query = url.indexOf('?');
    return this.paths.has(comparable(query === -1 ? url : url.slice(0, query)));
  }
}

/** Routers may ignore case and a final slash; masking a path that the router then refuses does no harm. */
function comparable(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
}

export function writeRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status, body = '' } = refusal;
  writeWhole(response, status, refusalHeaders(refusal), body);
}

export function refusalHeaders({ headers = {}, body, closeConnection }: Refusal): Record<string, string> {
  return {
    ...headers,
    ...(body === undefined ? {} : { 'content-type': JSON_TYPE }),
    ...(closeConnection === true ? { connection: 'close' } : {}),
  };
}

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** How long a browser may remember what it was told, in seconds; some forget sooner. */
const MAX_AGE_S = 600;

/** Names of headers, and no more of them than a client of this protocol has. */
const NAMES = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/;
const LONGEST_NAMES = 4_096;

/** Scripts of an origin that may call can read the answer: nobody else could tell their browser so. */
export function corsHeaders({ origin }: IncomingHttpHeaders): OutgoingHttpHeaders {
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
    vary: 'Origin',
  };
}

/** Whether a browser asks if a page may send what it is about to send. */
export function isPreflight(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** POST with the headers that it asks for; a tool may have parameters in headers of any name. */
export function preflightHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const asked = headers['access-control-request-headers'];
  const isList = asked !== undefined && asked.length <= LONGEST_NAMES && NAMES.test(asked);
  return {
    ...corsHeaders(headers),
    'access-control-allow-methods': 'POST',
    ...(isList ? { 'access-control-allow-headers': asked } : {}),
    'access-control-max-age': String(MAX_AGE_S),
  };
}

import type { IncomingMessage } from 'node:http';

/** Says why servers that pass a request on to one another could read it differently, where Node's own parser reads it. */
export function complainAboutFraming({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): string | undefined {
  // That version has no chunks, so an older proxy would have taken them for a body or for the next request.
  if (httpVersionMinor === 0) {
    return headers['transfer-encoding'] === undefined ? undefined : 'Chunks do not belong to HTTP/1.0';
  }
  return countHosts(rawHeaders) === 1 ? undefined : 'Send one Host header';
}

/** Node keeps the first of them. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

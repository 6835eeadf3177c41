import { SSE_MEDIA_TYPE } from './headers.js';

/** A comment frame: proxies see traffic, clients ignore it. */
export const SSE_KEEP_ALIVE = ': keep-alive\n\n';

/** Headers of an event stream. They prevent proxies and compression from caching or buffering events. */
export const SSE_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-type': SSE_MEDIA_TYPE,
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

/** Encodes one JSON-RPC message as an event. Line breaks between JSON tokens become several `data` lines, which form the same JSON. */
export function encodeSseMessage(json: string): string {
  const isBroken = json.includes('\n') || json.includes('\r');
  const data = isBroken ? json.replace(/\r\n|\r|\n/g, '\ndata: ') : json;
  return `event: message\ndata: ${data}\n\n`;
}

import { STATUS_CODES } from 'node:http';

import { INTERNAL_ERROR, INVALID_REQUEST } from '../../wire/json-rpc.js';
import { encodeError } from '../../wire/json-rpc.encoder.js';
import { JSON_MEDIA_TYPE } from '../../wire/media-type.js';
import { CACHE_CONTROL, NO_STORE } from '../node-http/whole-answer.js';

/** What Node's parser calls what it refuses; everything else that begins with `HPE_` is malformed. */
const KNOWN: ReadonlyMap<string, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The head of the request is too large']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The extensions of a chunk are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time']],
]);

const MALFORMED = [400, 'The request is malformed'] as const;

/** The last words to a client whose bytes make no request; none for what is no fault of the client. */
export function answerMalformed(error: NodeJS.ErrnoException): string | undefined {
  const { code = '' } = error;
  const known = KNOWN.get(code) ?? (code.startsWith('HPE_') ? MALFORMED : undefined);
  return known === undefined
    ? undefined
    : rawAnswer(known[0], encodeError(undefined, { code: INVALID_REQUEST, message: known[1] }));
}

/** The last words to a client whose request has not arrived when the app closes. */
export const answerClosing = (): string =>
  rawAnswer(503, encodeError(undefined, { code: INTERNAL_ERROR, message: 'The server is shutting down' }));

/** A whole answer where there is no request to answer. */
function rawAnswer(status: number, body: string): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `content-type: ${JSON_MEDIA_TYPE}`,
    `${CACHE_CONTROL}: ${NO_STORE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { endPatiently } from '../node-http/connection.js';
import { INTERNAL_ERROR, INVALID_REQUEST } from '../../wire/json-rpc.js';
import { encodeError } from '../../wire/json-rpc.codec.js';
import { JSON_MEDIA_TYPE } from '../../wire/headers.js';
import { CACHE_CONTROL, NO_STORE } from '../node-http/http-platform.js';

interface Line {
  last: ServerResponse | undefined;
}

/** Knows every connection and what is said on it, for the moments when there is no request to answer. */
export class ListenerConnections {
  /** As they were accepted; with TLS, those of which the handshake is not done yet too. */
  private readonly accepted = new Set<Socket>();
  /** Those on which requests come, each with its last answer, and so the last to be finished. */
  private readonly lines = new Map<Socket, Line>();

  constructor(server: Server, isSecure: boolean) {
    server.on('connection', (socket: Socket) => {
      this.accepted.add(socket);
      socket.once('close', () => this.accepted.delete(socket));
    });
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.lines.set(socket, { last: undefined });
      socket.once('close', () => this.lines.delete(socket));
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.refuse(error, socket as Socket));
  }

  /** A request has come, and will be answered by this. */
  open({ socket }: IncomingMessage, response: ServerResponse): void {
    const line = this.lines.get(socket);
    if (line !== undefined) line.last = response;
  }

  /** Clients whose requests have not arrived are told that they need not go on, the others have their answers first. */
  dismiss(): void {
    for (const [socket, line] of this.lines) {
      const { last } = line;
      if (last === undefined || last.writableFinished) endPatiently(socket, answerClosing());
      // An answer that began before does not say that it is the last one. Later ones do.
      else last.once('finish', () => line.last === last && socket.destroySoon());
    }
  }

  destroy(): void {
    for (const socket of this.accepted) socket.destroy();
  }

  /** Bytes that make no request, or not in time: what comes after them could be anything. */
  private refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const words = answerMalformed(error);
    if (words === undefined || !socket.writable || !this.isFree(socket)) socket.destroy();
    else endPatiently(socket, words);
  }

  /** Whether an answer can be written that would be taken for no other one. */
  private isFree(socket: Socket): boolean {
    const last = this.lines.get(socket)?.last;
    if (last === undefined || last.writableFinished) return true;
    // The request itself is what is malformed or late, and its answer is next.
    return last.socket === socket && !last.headersSent && !last.req.complete;
  }
}

/** What Node's parser calls what it refuses; everything else that begins with `HPE_` is malformed. */
const KNOWN: ReadonlyMap<string, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The head of the request is too large']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The extensions of a chunk are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time']],
]);

const MALFORMED = [400, 'The request is malformed'] as const;

/** The last words to a client whose bytes make no request; none for what is no fault of the client. */
function answerMalformed(error: NodeJS.ErrnoException): string | undefined {
  const { code = '' } = error;
  const known = KNOWN.get(code) ?? (code.startsWith('HPE_') ? MALFORMED : undefined);
  return known === undefined
    ? undefined
    : rawAnswer(known[0], encodeError(undefined, { code: INVALID_REQUEST, message: known[1] }));
}

/** The last words to a client whose request has not arrived when the app closes. */
const answerClosing = (): string =>
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

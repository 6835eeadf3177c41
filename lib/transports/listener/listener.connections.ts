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

/** Tracks all connections and their latest answers, to answer where no request exists and to close in order. */
export class ListenerConnections {
  /** All accepted connections; with TLS also those before the end of the handshake. */
  private readonly accepted = new Set<Socket>();
  /** Connections for requests, each with its latest answer, which is finished last. */
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

  /** Records the response of a new request. */
  open({ socket }: IncomingMessage, response: ServerResponse): void {
    const line = this.lines.get(socket);
    if (line !== undefined) line.last = response;
  }

  /** Ends connections: immediately with a final answer if no request has arrived, otherwise after the last answer. */
  dismiss(): void {
    for (const [socket, line] of this.lines) {
      const { last } = line;
      if (last === undefined || last.writableFinished) endPatiently(socket, answerClosing());
      // This answer was begun before the end, so it has no `Connection: close`; later ones have.
      else last.once('finish', () => line.last === last && socket.destroySoon());
    }
  }

  destroy(): void {
    for (const socket of this.accepted) socket.destroy();
  }

  /** Handles malformed or late requests, after which the rest of the connection cannot be parsed. */
  private refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const words = answerMalformed(error);
    if (words === undefined || !socket.writable || !this.isFree(socket)) socket.destroy();
    else endPatiently(socket, words);
  }

  /** Whether an answer can be written that the client cannot mistake for another one. */
  private isFree(socket: Socket): boolean {
    const last = this.lines.get(socket)?.last;
    if (last === undefined || last.writableFinished) return true;
    // The malformed or late request is this one, and its answer is next.
    return last.socket === socket && !last.headersSent && !last.req.complete;
  }
}

/** Error codes of Node's parser; all other codes with `HPE_` mean a malformed request. */
const KNOWN: ReadonlyMap<string, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The head of the request is too large']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The extensions of a chunk are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time']],
]);

const MALFORMED = [400, 'The request is malformed'] as const;

/** The answer to a malformed or late request; `undefined` for errors that the client did not cause. */
function answerMalformed(error: NodeJS.ErrnoException): string | undefined {
  const { code = '' } = error;
  const known = KNOWN.get(code) ?? (code.startsWith('HPE_') ? MALFORMED : undefined);
  return known === undefined
    ? undefined
    : rawAnswer(known[0], encodeError(undefined, { code: INVALID_REQUEST, message: known[1] }));
}

/** The answer to a client whose request has not arrived when the app closes. */
const answerClosing = (): string =>
  rawAnswer(503, encodeError(undefined, { code: INTERNAL_ERROR, message: 'The server is shutting down' }));

/** A complete answer as text, for cases without a response object. */
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

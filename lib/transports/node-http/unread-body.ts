import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { ExchangeHead } from '../../wire/exchange.js';

/** How long a client that is still sending may take to read its answer. */
const LINGER_MS = 1_000;
/** What is still taken from it meanwhile; a little more than most bodies, so that most connections end at once. */
const LINGER_BYTES = 4_000_000;

export function announcesBody({ headers }: ExchangeHead): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Until its body is read, every answer to a request ends the connection, whoever writes it: a guard of the app, the
 * framework or this library. Otherwise a client could keep the connection, and with it a closing app, busy with the rest.
 * Not for HTTP/2, where there is no connection to end.
 */
export function closeUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  const socket = request.socket as Partial<Socket> | null | undefined;
  // What stands in for a connection may have no such method.
  if (typeof socket?.destroySoon === 'function') socket.destroySoon = closePatiently;
}

/**
 * In place of closing at once: the operating system answers bytes that arrive on a closed connection with a reset, and a
 * reset makes the client's side throw away the answer that it has not read yet.
 */
function closePatiently(this: Socket): void {
  endPatiently(this);
}

/** The same at any time, after some last words. */
export function endPatiently(socket: Socket, lastWords = ''): void {
  if (socket.destroyed || socket.writableEnded) return;
  let left = LINGER_BYTES;
  // Nothing more of this connection is parsed.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.pause();
  });
  if (lastWords === '') socket.end();
  else socket.end(lastWords);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Reads on and throws away what comes, while answers are still owed: only who reads sees that a client has left. One
 * that does not stop sending is cut off.
 */
export function discardRest(socket: Socket): void {
  if (socket.destroyed || socket.readableEnded) return;
  let left = LINGER_BYTES;
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  // Node's parser may have stopped the reading behind the back of the stream, which an empty piece tells the stream.
  socket.push('');
  socket.resume();
  socket.read(0);
}

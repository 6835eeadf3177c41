import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { refuseAsBusy } from '../../wire/refusal.js';

/** Time for a client that is still sending to read its answer, in milliseconds. */
const LINGER_MS = 1_000;
/** Bytes that are still read meanwhile: more than most bodies, so that most connections end immediately. */
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
  // An imitated socket may not have this method.
  if (typeof socket?.destroySoon === 'function') socket.destroySoon = closePatiently;
}

/**
 * In place of closing at once: the operating system answers bytes that arrive on a closed connection with a reset, and a
 * reset makes the client's side throw away the answer that it has not read yet.
 */
function closePatiently(this: Socket): void {
  endPatiently(this);
}

/** Ends the connection in this way, after an optional final text. */
export function endPatiently(socket: Socket, lastWords = ''): void {
  if (socket.destroyed || socket.writableEnded) return;
  let left = LINGER_BYTES;
  // Stops Node's parser on this connection.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.pause();
  });
  if (lastWords === '') socket.end();
  else socket.end(lastWords);
  resumeReading(socket);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Reads on and throws away what comes, while answers are still owed: only who reads sees that a client has left. One
 * that does not stop sending is cut off.
 */
function discardRest(socket: Socket): void {
  if (socket.destroyed || socket.readableEnded) return;
  let left = LINGER_BYTES;
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  resumeReading(socket);
}

/** Node's parser stops reading from the handle of the socket without its stream; an empty chunk informs the stream. */
function resumeReading(socket: Socket): void {
  socket.push('');
  socket.resume();
  socket.read(0);
}

/** Maximum number of answers that wait behind an earlier one on a connection; more than usual clients pipeline. */
export const MAX_WAITING_ANSWERS = 64;

const FULL = refuseAsBusy(
  'Too many requests of this connection wait for their answers, or those that wait are too large. ' +
    'Send further requests when answers have come, or use more connections',
);

/** The waiting answers of one connection. Node assigns them no socket before their turn. */
class Pipeline {
  waiting = 0;
  isOver = false;
  /** Requests that arrived before the end; a framework may present a request more than once. */
  readonly taken = new WeakSet<IncomingMessage>();
  /** Called when the connection closes, because an answer without a socket emits no event. */
  readonly departures = new Set<() => void>();

  readonly advance = (): void => {
    this.waiting -= 1;
  };
}

/** Most connections have no entry: their clients wait for an answer before they send again. */
const pipelines = new WeakMap<Socket, Pipeline>();

/**
 * Whether the answer has to wait for an earlier one of its connection. Those of HTTP/2 never do, and neither do those of
 * hosts that only imitate Node's objects.
 */
export function isWaiting(response: ServerResponse): boolean {
  return response.socket === null && response.req.socket instanceof Socket;
}

/** Whether further answers wait behind the current one. */
export function hasFollowers({ socket }: IncomingMessage): boolean {
  return (pipelines.get(socket)?.waiting ?? 0) > 0;
}

/** Whether a pipelined request is handled: not after an answer that ends the connection. */
export function enterPipeline(request: IncomingMessage): boolean {
  const { isOver, taken } = pipelineOf(request.socket);
  if (!isOver) taken.add(request);
  return taken.has(request);
}

/** Queues an answer; returns a refusal if too many wait. */
export function queueAnswer(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
  const pipeline = pipelineOf(request.socket);
  if (pipeline.waiting >= MAX_WAITING_ANSWERS || hasStoppedReading(request.socket)) {
    closeUnlessRead(request, response);
    endPipeline(request);
    return FULL;
  }
  pipeline.waiting += 1;
  response.once('socket', pipeline.advance);
  return undefined;
}

/**
 * The connection ends with the last answer that is owed now. What still comes is read and thrown away, because who does
 * not read never sees that the client has left.
 */
export function endPipeline({ socket }: IncomingMessage): void {
  const pipeline = pipelineOf(socket);
  if (pipeline.isOver) return;
  pipeline.isOver = true;
  // Node's parser is still processing the current chunk.
  setImmediate(() => discardRest(socket));
}

export function onDeparture({ socket }: IncomingMessage, notify: () => void): void {
  pipelineOf(socket).departures.add(notify);
}

export function offDeparture({ socket }: IncomingMessage, notify: () => void): void {
  pipelines.get(socket)?.departures.delete(notify);
}

/** Node stops reading while waiting answers exceed the buffer of the socket; they may belong to other routes. */
function hasStoppedReading(socket: Socket): boolean {
  return socket.isPaused() && !socket.writableNeedDrain;
}

function pipelineOf(socket: Socket): Pipeline {
  const known = pipelines.get(socket);
  if (known !== undefined) return known;
  const pipeline = new Pipeline();
  pipelines.set(socket, pipeline);
  // One listener for each connection, independent of the number of answers.
  socket.once('close', () => {
    for (const notify of pipeline.departures) notify();
  });
  return pipeline;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { Refusal } from '../../wire/exchange.js';
import { refuseBusy } from '../../wire/refusal.js';
import { closeUnlessRead, discardRest } from './unread-body.js';

/** Answers that may wait behind an earlier one of their connection; more than clients send without waiting. */
export const MAX_WAITING_ANSWERS = 64;

const FULL = refuseBusy(
  'Too many requests of this connection wait for their answers, or those that wait are too large. ' +
    'Send further requests when answers have come, or use more connections',
);

/** The answers of one connection that wait behind an earlier one. Node gives them no socket until it is their turn. */
class Pipeline {
  waiting = 0;
  isOver = false;
  /** Those that came before the end; a framework may show each of them more than once. */
  readonly taken = new WeakSet<IncomingMessage>();
  /** Told when the connection closes, since an answer without a socket never hears of it. */
  readonly departures = new Set<() => void>();

  readonly advance = (): void => {
    this.waiting -= 1;
  };
}

/** Most connections have none: their clients wait for an answer before they send again. */
const pipelines = new WeakMap<Socket, Pipeline>();

/**
 * Whether the answer has to wait for an earlier one of its connection. Those of HTTP/2 never do, and neither do those of
 * hosts that only imitate Node's objects.
 */
export function isWaiting(response: ServerResponse): boolean {
  return response.socket === null && response.req.socket instanceof Socket;
}

/** Whether further answers wait behind the one that is being written. */
export function hasFollowers({ socket }: IncomingMessage): boolean {
  return (pipelines.get(socket)?.waiting ?? 0) > 0;
}

/** Whether a request whose answer has to wait is looked at: not when an earlier answer will end the connection. */
export function enterPipeline(request: IncomingMessage): boolean {
  const { isOver, taken } = pipelineOf(request.socket);
  if (!isOver) taken.add(request);
  return taken.has(request);
}

/** Takes an answer that has to wait; a refusal when too many do. */
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
  // The parser is at work on these very bytes.
  setImmediate(() => discardRest(socket));
}

export function onDeparture({ socket }: IncomingMessage, tell: () => void): void {
  pipelineOf(socket).departures.add(tell);
}

export function offDeparture({ socket }: IncomingMessage, tell: () => void): void {
  pipelines.get(socket)?.departures.delete(tell);
}

/** Node stops reading while answers that wait hold more than the buffer of the socket; other routes may have written them. */
function hasStoppedReading(socket: Socket): boolean {
  return socket.isPaused() && !socket.writableNeedDrain;
}

function pipelineOf(socket: Socket): Pipeline {
  const known = pipelines.get(socket);
  if (known !== undefined) return known;
  const pipeline = new Pipeline();
  pipelines.set(socket, pipeline);
  // One listener for a connection, however many answers wait.
  socket.once('close', () => {
    for (const tell of pipeline.departures) tell();
  });
  return pipeline;
}

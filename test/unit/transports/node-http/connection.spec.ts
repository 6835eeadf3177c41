import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from '@jest/globals';

import {
  endPipeline,
  enterPipeline,
  hasFollowers,
  isWaiting,
  MAX_WAITING_ANSWERS,
  offDeparture,
  onDeparture,
  queueAnswer,
} from '../../../../lib/transports/node-http/connection.js';

const requestOn = (socket: Socket): IncomingMessage => ({ socket, httpVersionMajor: 1 }) as IncomingMessage;
const responseTo = (): ServerResponse & { shouldKeepAlive: boolean } =>
  Object.assign(new EventEmitter(), { shouldKeepAlive: true }) as never;

describe('answers of one connection', () => {
  it('wait where they have no socket yet, of a connection that has one', () => {
    const req = requestOn(new Socket());
    expect(isWaiting({ socket: null, req } as ServerResponse)).toBe(true);
    expect(isWaiting({ socket: req.socket, req } as ServerResponse)).toBe(false);
    // Hosts that imitate Node's objects, and HTTP/2 whose stream has gone.
    expect(isWaiting({ socket: null, req: { socket: {} } } as ServerResponse)).toBe(false);
    expect(isWaiting({ socket: undefined, req } as never)).toBe(false);
  });

  it('are refused beyond a number, until one of them has its turn', () => {
    const request = requestOn(new Socket());
    expect(hasFollowers(request)).toBe(false);
    const waiting = Array.from({ length: MAX_WAITING_ANSWERS }, responseTo);
    for (const response of waiting) expect(queueAnswer(request, response)).toBeUndefined();
    expect(hasFollowers(request)).toBe(true);
    waiting[0]?.emit('socket');
    expect(queueAnswer(request, responseTo())).toBeUndefined();
    const last = responseTo();
    expect(queueAnswer(request, last)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect([last.shouldKeepAlive, enterPipeline(requestOn(request.socket))]).toEqual([false, false]);
  });

  it('are refused where Node has stopped reading, for another reason than a client that is slow', () => {
    const socket = new Socket();
    socket.pause();
    expect(queueAnswer(requestOn(socket), responseTo())?.status).toBe(503);
    const slow = Object.assign(new Socket(), {});
    Object.defineProperty(slow, 'writableNeedDrain', { value: true });
    slow.pause();
    expect(queueAnswer(requestOn(slow), responseTo())).toBeUndefined();
  });

  it('are still written if the end was decided after them, even if presented repeatedly', () => {
    const socket = new Socket();
    const [early, late] = [requestOn(socket), requestOn(socket)];
    expect(enterPipeline(early)).toBe(true);
    endPipeline(early);
    expect([enterPipeline(early), enterPipeline(late)]).toEqual([true, false]);
  });

  it('are notified of the end of their connection, unless they have been written', () => {
    const request = requestOn(new Socket());
    const told: string[] = [];
    const written = (): void => void told.push('written');
    onDeparture(request, () => told.push('waiting'));
    onDeparture(request, written);
    offDeparture(request, written);
    request.socket.emit('close');
    expect([told, request.socket.listenerCount('close')]).toEqual([['waiting'], 0]);
  });
});

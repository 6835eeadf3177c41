import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { BodyReader } from '../../../../lib/transports/node-http/body.reader.js';
import type { BodyReading } from '../../../../lib/wire/exchange.js';

const LIMITS = { maxBodyBytes: 10, bodyTimeoutMs: 1_000, readTimeoutMs: 400, chunkedBodies: 'accept' } as const;

/** A request whose bytes come when a test says so. */
class Arriving extends EventEmitter {
  paused = false;

  constructor(readonly headers: Readonly<Record<string, string>> = {}) {
    super();
  }

  pause(): void {
    this.paused = true;
  }
}

const asRequest = (request: Arriving): IncomingMessage => request as unknown as IncomingMessage;

function start(reader: BodyReader, request: Arriving): { reading: BodyReading | undefined } {
  const state: { reading: BodyReading | undefined } = { reading: undefined };
  const wait = async (): Promise<void> => {
    state.reading = await reader.read(asRequest(request));
  };
  void wait();
  return state;
}

const statusOf = ({ reading }: { reading: BodyReading | undefined }): number | undefined =>
  reading === undefined || reading.ok ? undefined : reading.refusal.status;
const textOf = ({ reading }: { reading: BodyReading | undefined }): string | undefined =>
  reading?.ok === true ? Buffer.from(reading.bytes as Uint8Array).toString() : undefined;

describe('BodyReader', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const settled = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

  it('takes a body that has arrived with its head at once, without listening', () => {
    const bytes = Buffer.from('hello');
    const request = Object.assign(new Arriving({ 'content-length': '5' }), {
      readableLength: 5,
      read: (size: number) => bytes.subarray(0, size),
    });
    expect(new BodyReader(LIMITS).read(asRequest(request))).toEqual({ ok: true, bytes });
    expect(request.eventNames()).toEqual([]);
  });

  it('waits for the rest of a body that has arrived in part', async () => {
    const request = Object.assign(new Arriving({ 'content-length': '5' }), { readableLength: 2 });
    const state = start(new BodyReader(LIMITS), request);
    request.emit('data', Buffer.from('he'));
    request.emit('data', Buffer.from('llo'));
    await settled();
    expect(textOf(state)).toBe('hello');
  });

  it('is done as soon as the declared bytes are there', async () => {
    const request = new Arriving({ 'content-length': '5' });
    const state = start(new BodyReader(LIMITS), request);
    request.emit('data', Buffer.from('he'));
    await settled();
    expect(state.reading).toBeUndefined();
    request.emit('data', Buffer.from('llo'));
    await settled();
    expect(textOf(state)).toBe('hello');
    expect(request.eventNames()).toEqual([]);
  });

  it('is done at the end of chunks, and of nothing', async () => {
    for (const pieces of [['a', 'b'], []]) {
      const request = new Arriving();
      const state = start(new BodyReader(LIMITS), request);
      for (const piece of pieces) request.emit('data', Buffer.from(piece));
      request.emit('end');
      await settled();
      expect(textOf(state)).toBe(pieces.join(''));
    }
  });

  it('counts bytes, whatever was declared', async () => {
    const request = new Arriving();
    const state = start(new BodyReader(LIMITS), request);
    request.emit('data', Buffer.alloc(10));
    await settled();
    expect(state.reading).toBeUndefined();
    request.emit('data', Buffer.alloc(1));
    await settled();
    expect([statusOf(state), request.paused]).toEqual([413, true]);
    // A late reset is no unhandled error.
    expect(() => request.emit('error', new Error('reset'))).not.toThrow();
  });

  it.each([
    [{ 'content-length': '11' }, 413],
    [{ 'content-encoding': 'gzip', 'content-length': '1' }, 415],
    [{ 'content-encoding': 'gzip, identity' }, 415],
  ])('refuses %j without reading', (headers, status) => {
    const request = new Arriving(headers);
    const reading = new BodyReader(LIMITS).read(asRequest(request)) as BodyReading;
    expect(reading).toMatchObject({ ok: false, refusal: { status, closeConnection: true } });
    expect(request.eventNames()).toEqual([]);
  });

  it('wants a length where chunks are refused', () => {
    const reader = new BodyReader({ ...LIMITS, chunkedBodies: 'refuse' });
    expect(reader.read(asRequest(new Arriving()))).toMatchObject({ refusal: { status: 411 } });
    expect(reader.read(asRequest(new Arriving({ 'content-length': '1' })))).toBeInstanceOf(Promise);
    reader.abandon();
  });

  it('gives up on silence, from the head on', async () => {
    const state = start(new BodyReader(LIMITS), new Arriving());
    await jest.advanceTimersByTimeAsync(399);
    expect(state.reading).toBeUndefined();
    await jest.advanceTimersByTimeAsync(50);
    expect(statusOf(state)).toBe(408);
  });

  it('gives up on a body that trickles for too long', async () => {
    const request = new Arriving();
    const state = start(new BodyReader(LIMITS), request);
    for (let passed = 0; passed < 950; passed += 190) {
      request.emit('data', Buffer.of(1));
      await jest.advanceTimersByTimeAsync(190);
    }
    expect(state.reading).toBeUndefined();
    await jest.advanceTimersByTimeAsync(100);
    expect(statusOf(state)).toBe(408);
  });

  it('has one timer for all bodies, and none for no body', async () => {
    const reader = new BodyReader(LIMITS);
    const requests = [new Arriving(), new Arriving(), new Arriving()];
    for (const request of requests) start(reader, request);
    expect(jest.getTimerCount()).toBe(1);
    for (const request of requests) request.emit('end');
    await jest.advanceTimersByTimeAsync(100);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives up when the client leaves', async () => {
    for (const event of ['close', 'error']) {
      const request = new Arriving({ 'content-length': '5' });
      const state = start(new BodyReader(LIMITS), request);
      request.emit(event, new Error('gone'));
      await settled();
      expect(statusOf(state)).toBe(400);
    }
  });

  it('does not wait for a client that has gone already', () => {
    const request = Object.assign(new Arriving({ 'content-length': '5' }), { destroyed: true });
    expect(new BodyReader(LIMITS).read(asRequest(request))).toMatchObject({ refusal: { status: 400 } });
  });

  it('abandons what has not arrived, and takes nothing more', async () => {
    const reader = new BodyReader(LIMITS);
    const state = start(reader, new Arriving());
    reader.abandon();
    await settled();
    expect(statusOf(state)).toBe(503);
    expect(statusOf({ reading: reader.read(asRequest(new Arriving({ 'content-length': '1' }))) as BodyReading })).toBe(
      503,
    );
  });
});

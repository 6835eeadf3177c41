import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import type { Caller } from '../../../../lib/model/peer.js';
import { BodyBudget } from '../../../../lib/server/body-budget.js';
import { BodyReader } from '../../../../lib/transports/node-http/body.reader.js';
import type { BodyReading } from '../../../../lib/wire/exchange.js';
import { heldBytes } from '../../../support/held-bytes.js';

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

const NOBODY: Caller = { auth: () => undefined };

/** A response to which nothing is written. */
const UNUSED = {} as ServerResponse;

const readerOf = (
  limits: ConstructorParameters<typeof BodyReader>[0],
  budget = new BodyBudget(1_000_000),
): BodyReader => new BodyReader(limits, budget);

const read = (reader: BodyReader, request: Arriving, caller = NOBODY): Promise<BodyReading> | BodyReading =>
  reader.read(asRequest(request), UNUSED, caller);

function start(reader: BodyReader, request: Arriving, caller = NOBODY): { reading: BodyReading | undefined } {
  const state: { reading: BodyReading | undefined } = { reading: undefined };
  const wait = async (): Promise<void> => {
    state.reading = await read(reader, request, caller);
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
    expect(read(readerOf(LIMITS), request)).toEqual({ ok: true, bytes });
    expect(request.eventNames()).toEqual([]);
  });

  it('waits for the rest of a body that has arrived in part', async () => {
    const request = Object.assign(new Arriving({ 'content-length': '5' }), { readableLength: 2 });
    const state = start(readerOf(LIMITS), request);
    request.emit('data', Buffer.from('he'));
    request.emit('data', Buffer.from('llo'));
    await settled();
    expect(textOf(state)).toBe('hello');
  });

  it('is done as soon as the declared bytes are there', async () => {
    const request = new Arriving({ 'content-length': '5' });
    const state = start(readerOf(LIMITS), request);
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
      const state = start(readerOf(LIMITS), request);
      for (const piece of pieces) request.emit('data', Buffer.from(piece));
      request.emit('end');
      await settled();
      expect(textOf(state)).toBe(pieces.join(''));
    }
  });

  it('counts the received bytes, not the declared length', async () => {
    const request = new Arriving();
    const state = start(readerOf(LIMITS), request);
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
    const reading = read(readerOf(LIMITS), request) as BodyReading;
    expect(reading).toMatchObject({ ok: false, refusal: { status, closeConnection: true } });
    expect(request.eventNames()).toEqual([]);
  });

  it('requires a length if chunks are refused', () => {
    const reader = readerOf({ ...LIMITS, chunkedBodies: 'refuse' });
    expect(read(reader, new Arriving())).toMatchObject({ refusal: { status: 411 } });
    expect(read(reader, new Arriving({ 'content-length': '1' }))).toBeInstanceOf(Promise);
    reader.abandon();
  });

  it('gives up on silence, from the head on', async () => {
    const state = start(readerOf(LIMITS), new Arriving());
    await jest.advanceTimersByTimeAsync(399);
    expect(state.reading).toBeUndefined();
    await jest.advanceTimersByTimeAsync(50);
    expect(statusOf(state)).toBe(408);
  });

  it('gives up on a body that trickles for too long', async () => {
    const request = new Arriving();
    const state = start(readerOf(LIMITS), request);
    for (let passed = 0; passed < 950; passed += 190) {
      request.emit('data', Buffer.of(1));
      await jest.advanceTimersByTimeAsync(190);
    }
    expect(state.reading).toBeUndefined();
    await jest.advanceTimersByTimeAsync(100);
    expect(statusOf(state)).toBe(408);
  });

  it('has one timer for all bodies, and none for no body', async () => {
    const reader = readerOf(LIMITS);
    const requests = [new Arriving(), new Arriving(), new Arriving()];
    for (const request of requests) start(reader, request);
    expect(jest.getTimerCount()).toBe(1);
    for (const request of requests) request.emit('end');
    await jest.advanceTimersByTimeAsync(100);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends when the client leaves', async () => {
    for (const event of ['close', 'error']) {
      const request = new Arriving({ 'content-length': '5' });
      const state = start(readerOf(LIMITS), request);
      request.emit(event, new Error('gone'));
      await settled();
      expect(statusOf(state)).toBe(400);
    }
  });

  it('does not wait for a client that has already left', () => {
    const request = Object.assign(new Arriving({ 'content-length': '5' }), { destroyed: true });
    expect(read(readerOf(LIMITS), request)).toMatchObject({ refusal: { status: 400 } });
  });

  it('refuses a body beyond the budget, and accepts it after others are done', async () => {
    const reader = readerOf({ ...LIMITS, maxBodyBytes: 10 }, new BodyBudget(20));
    const lines = [1, 2, 3].map(() => new Arriving({ 'content-length': '10' }));
    const states = lines.map((line, index) => start(reader, line, { auth: () => index }));
    for (const line of lines.slice(0, 2)) line.emit('data', Buffer.alloc(9));
    await settled();
    expect(states.map(({ reading }) => reading)).toEqual([undefined, undefined, undefined]);
    lines[2]?.emit('data', Buffer.of(1));
    await settled();
    expect(states[2]?.reading).toMatchObject({
      refusal: { status: 503, headers: { 'retry-after': '1' }, closeConnection: true },
    });
    lines[0]?.emit('data', Buffer.of(1));
    lines[1]?.emit('close');
    await settled();
    expect([textOf(states[0] as never)?.length, statusOf(states[1] as never)]).toEqual([10, 400]);
    const late = new Arriving({ 'content-length': '10' });
    const state = start(reader, late);
    late.emit('data', Buffer.alloc(10, 'x'));
    await settled();
    expect(textOf(state)).toBe('xxxxxxxxxx');
  });

  it('counts nothing that is only announced', async () => {
    const reader = readerOf({ ...LIMITS, maxBodyBytes: 10 }, new BodyBudget(20));
    const silent = Array.from({ length: 10 }, () => start(reader, new Arriving({ 'content-length': '10' })));
    const lively = new Arriving({ 'content-length': '10' });
    const state = start(reader, lively);
    lively.emit('data', Buffer.alloc(10, 'x'));
    await settled();
    expect([textOf(state), silent.some(({ reading }) => reading !== undefined)]).toEqual(['xxxxxxxxxx', false]);
    reader.abandon();
  });

  it('abandons what has not arrived, and takes nothing more', async () => {
    const reader = readerOf(LIMITS);
    const state = start(reader, new Arriving());
    reader.abandon();
    await settled();
    expect(statusOf(state)).toBe(503);
    expect(statusOf({ reading: read(reader, new Arriving({ 'content-length': '1' })) as BodyReading })).toBe(503);
  });
});

describe('a body in many pieces', () => {
  const LARGE = { ...LIMITS, maxBodyBytes: 2_000_000, bodyTimeoutMs: 60_000, readTimeoutMs: 60_000 };

  it('uses little more memory than the received bytes, in chunks of any size', async () => {
    const reader = readerOf(LARGE, new BodyBudget(8_000_000));
    const request = new Arriving();
    const reading = Promise.resolve(read(reader, request));
    const before = await heldBytes();
    for (let count = 0; count < 100_000; count += 1) request.emit('data', Buffer.of(120));
    expect((await heldBytes()) - before).toBeLessThan(1_000_000);
    request.emit('end');
    expect(await reading).toEqual({ ok: true, bytes: Buffer.alloc(100_000, 'x') });
  });
});

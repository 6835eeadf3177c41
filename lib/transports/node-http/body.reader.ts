import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import type { Caller } from '../../model/peer.js';
import type { BodyBudget } from '../../server/body-budget.js';
import type { BodyReading } from '../../wire/exchange.js';
import { INTERNAL_ERROR } from '../../wire/json-rpc.js';
import { refuse } from '../../wire/refusal.js';
import type { HttpOptions } from '../http/http-options.interface.js';
import { ArrivingBody, CROWDED } from './arriving-body.js';
import { waitsForLeave } from './http-request.js';

type Limits = Pick<HttpOptions, 'maxBodyBytes' | 'bodyTimeoutMs' | 'readTimeoutMs' | 'chunkedBodies'>;

const SHORTEST_SWEEP_MS = 10;
const LONGEST_SWEEP_MS = 250;

/** The remaining bytes are never read, so the connection ends with the answer. */
const unread = (status: number, message: string, code?: number): BodyReading => ({
  ok: false,
  refusal: refuse(status, message, { ...(code === undefined ? {} : { code }), closeConnection: true }),
});

const incomplete = (): BodyReading => unread(400, 'The body is incomplete');

const shuttingDown = (): BodyReading => unread(503, 'The server is shutting down', INTERNAL_ERROR);

interface Pending {
  readonly startedAt: number;
  lastReadAt: number;
  readonly settle: (reading: BodyReading) => void;
}

/** Most bodies arrive together with their head and can be read synchronously. */
function takeArrived(request: IncomingMessage, length: number | undefined): BodyReading | undefined {
  if (length === undefined || request.readableLength !== length) return undefined;
  const bytes = request.read(length) as Buffer | null;
  return bytes === null ? undefined : { ok: true, bytes };
}

/** Reads the bodies of one endpoint within their limits of size and time. */
export class BodyReader {
  private readonly pending = new Set<Pending>();
  private sweeper: NodeJS.Timeout | undefined;
  private abandoned = false;
  private readonly sweepMs: number;

  constructor(
    private readonly limits: Limits,
    private readonly budget: BodyBudget,
  ) {
    const shortest = Math.min(limits.bodyTimeoutMs, limits.readTimeoutMs);
    this.sweepMs = Math.max(SHORTEST_SWEEP_MS, Math.min(LONGEST_SWEEP_MS, Math.floor(shortest / 10)));
  }

  /** Reads a body, after `100 Continue` if the client waits for it: nothing else refuses the request any more. */
  read(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<BodyReading> | BodyReading {
    const { headers } = request;
    const early = this.refuseUnread(headers, request.destroyed);
    if (early !== undefined) return early;
    if (waitsForLeave(request, headers) && !response.headersSent) response.writeContinue();
    const declared = headers['content-length'];
    const length = declared === undefined ? undefined : Number(declared);
    return takeArrived(request, length) ?? this.receive(request, length, caller);
  }

  /** Refuses bodies that have not arrived, and all further ones: the app is closing. */
  abandon(): void {
    this.abandoned = true;
    for (const { settle } of this.pending) settle(shuttingDown());
  }

  private refuseUnread(headers: IncomingHttpHeaders, destroyed: boolean): BodyReading | undefined {
    if (this.abandoned) return shuttingDown();
    // The client left while guards ran, so no further event will occur.
    if (destroyed) return incomplete();
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      return unread(415, 'Encoded bodies are not accepted; leave Content-Encoding out');
    }
    const declared = headers['content-length'];
    if (declared === undefined && this.limits.chunkedBodies === 'refuse') return unread(411, 'Send a Content-Length');
    return declared !== undefined && Number(declared) > this.limits.maxBodyBytes ? this.tooLarge() : undefined;
  }

  private tooLarge(): BodyReading {
    return unread(413, `The body is larger than ${this.limits.maxBodyBytes} bytes`);
  }

  private receive(request: IncomingMessage, declared: number | undefined, caller: Caller): Promise<BodyReading> {
    return new Promise((resolve) => {
      const body = new ArrivingBody(this.budget, caller, declared ?? this.limits.maxBodyBytes);
      const now = performance.now();
      const settle = (reading: BodyReading): void => {
        this.pending.delete(entry);
        body.drop();
        request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
        if (!reading.ok) {
          request.pause();
          // A late reset of the connection must not surface as an unhandled error.
          request.on('error', () => undefined);
        }
        resolve(reading);
      };
      const finish = (): void => settle({ ok: true, bytes: body.take() });
      const onData = (piece: Buffer): void => {
        if (body.receivedBytes + piece.length > this.limits.maxBodyBytes) settle(this.tooLarge());
        else if (!body.append(piece)) settle(CROWDED);
        else if (body.receivedBytes === declared) finish();
        else entry.lastReadAt = performance.now();
      };
      const onEnd = (): void => finish();
      const onLost = (): void => settle(incomplete());
      const entry: Pending = { startedAt: now, lastReadAt: now, settle };
      request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
      this.watch(entry);
    });
  }

  /** One timer for all bodies; it stops when there are none. */
  private watch(entry: Pending): void {
    this.pending.add(entry);
    this.sweeper ??= setInterval(() => this.sweep(), this.sweepMs).unref();
  }

  private sweep(): void {
    const now = performance.now();
    for (const { startedAt, lastReadAt, settle } of this.pending) {
      if (now - startedAt >= this.limits.bodyTimeoutMs || now - lastReadAt >= this.limits.readTimeoutMs) {
        settle(unread(408, 'The body did not arrive in time'));
      }
    }
    if (this.pending.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}

import type { IncomingMessage } from 'node:http';

import type { BodyReading, Refusal } from '../../wire/exchange.js';
import { INTERNAL_ERROR, INVALID_REQUEST } from '../../wire/json-rpc.js';
import { encodeError } from '../../wire/json-rpc.encoder.js';
import type { HttpOptions } from '../http/http-options.interface.js';

type Limits = Pick<HttpOptions, 'maxBodyBytes' | 'bodyTimeoutMs' | 'readTimeoutMs' | 'chunkedBodies'>;

const SHORTEST_SWEEP_MS = 10;
const LONGEST_SWEEP_MS = 250;

/** Remaining bytes are never read, so the connection ends with the answer. */
const refuse = (status: number, message: string, code = INVALID_REQUEST): BodyReading => ({
  ok: false,
  refusal: { status, body: encodeError(undefined, { code, message }), closeConnection: true } satisfies Refusal,
});

const incomplete = (): BodyReading => refuse(400, 'The body is incomplete');

const shuttingDown = (): BodyReading => refuse(503, 'The server is shutting down', INTERNAL_ERROR);

interface Pending {
  readonly startedAt: number;
  lastReadAt: number;
  readonly settle: (reading: BodyReading) => void;
}

/** Most bodies come with their head, and have arrived before anybody asks: nothing to wait for, nothing to watch. */
function takeArrived(request: IncomingMessage, length: number | undefined): BodyReading | undefined {
  if (length === undefined || request.readableLength !== length) return undefined;
  const bytes = request.read(length) as Buffer | null;
  return bytes === null ? undefined : { ok: true, bytes };
}

/** Owns the raw bodies of one endpoint: counts bytes and watches deadlines while they arrive. */
export class BodyReader {
  private readonly pending = new Set<Pending>();
  private sweeper: NodeJS.Timeout | undefined;
  private abandoned = false;
  private readonly sweepMs: number;

  constructor(private readonly limits: Limits) {
    const shortest = Math.min(limits.bodyTimeoutMs, limits.readTimeoutMs);
    this.sweepMs = Math.max(SHORTEST_SWEEP_MS, Math.min(LONGEST_SWEEP_MS, Math.floor(shortest / 10)));
  }

  read(request: IncomingMessage): Promise<BodyReading> | BodyReading {
    const early = this.refuseUnread(request);
    if (early !== undefined) return early;
    const declared = request.headers['content-length'];
    const length = declared === undefined ? undefined : Number(declared);
    return takeArrived(request, length) ?? this.receive(request, length);
  }

  /** Ends the wait for every body that has not arrived, and takes no more; the app is closing. */
  abandon(): void {
    this.abandoned = true;
    for (const { settle } of this.pending) settle(shuttingDown());
  }

  private refuseUnread({ headers, destroyed }: IncomingMessage): BodyReading | undefined {
    if (this.abandoned) return shuttingDown();
    // The client left while guards ran, so no event will come any more.
    if (destroyed) return incomplete();
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      return refuse(415, 'Encoded bodies are not accepted; leave Content-Encoding out');
    }
    const declared = headers['content-length'];
    if (declared === undefined && this.limits.chunkedBodies === 'refuse') return refuse(411, 'Send a Content-Length');
    return declared !== undefined && Number(declared) > this.limits.maxBodyBytes ? this.tooLarge() : undefined;
  }

  private tooLarge(): BodyReading {
    return refuse(413, `The body is larger than ${this.limits.maxBodyBytes} bytes`);
  }

  private receive(request: IncomingMessage, declared: number | undefined): Promise<BodyReading> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let received = 0;
      const now = performance.now();
      const settle = (reading: BodyReading): void => {
        this.pending.delete(entry);
        request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
        if (!reading.ok) {
          request.pause();
          // A late reset of the connection must not surface as an unhandled error.
          request.on('error', () => undefined);
        }
        resolve(reading);
      };
      const finish = (): void => settle({ ok: true, bytes: chunks.length === 1 ? chunks[0] : Buffer.concat(chunks) });
      const onData = (chunk: Buffer): void => {
        received += chunk.length;
        if (received > this.limits.maxBodyBytes) {
          settle(this.tooLarge());
          return;
        }
        entry.lastReadAt = performance.now();
        chunks.push(chunk);
        if (received === declared) finish();
      };
      const onEnd = (): void => finish();
      const onLost = (): void => settle(incomplete());
      const entry: Pending = { startedAt: now, lastReadAt: now, settle };
      request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
      this.watch(entry);
    });
  }

  /** One timer for all bodies; it stops by itself once it finds none. */
  private watch(entry: Pending): void {
    this.pending.add(entry);
    this.sweeper ??= setInterval(() => this.sweep(), this.sweepMs).unref();
  }

  private sweep(): void {
    const now = performance.now();
    for (const { startedAt, lastReadAt, settle } of this.pending) {
      if (now - startedAt >= this.limits.bodyTimeoutMs || now - lastReadAt >= this.limits.readTimeoutMs) {
        settle(refuse(408, 'The body did not arrive in time'));
      }
    }
    if (this.pending.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}

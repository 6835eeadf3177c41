import type { Caller } from '../../model/peer.js';
import type { BodyBudget } from '../../server/body-budget.js';
import type { BodyReading } from '../../wire/exchange.js';
import { refuse } from '../../wire/refusal.js';
import { ArrivingBody, CROWDED } from '../node-http/arriving-body.js';

/** Limits of a body, in bytes and milliseconds. */
export interface WebBodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
  readonly readTimeoutMs: number;
}

/** The caller, and the budget of all bodies. */
export interface WebBodyShare {
  readonly caller: Caller;
  readonly budget: BodyBudget;
}

const LATE = Symbol('late');

const unread = (status: number, message: string): BodyReading => ({
  ok: false,
  refusal: refuse(status, message),
});

/** Reads the body of a web-standard request within its limits; the rest of a refused body is not read. */
export async function readWebBody(
  request: Request,
  limits: WebBodyLimits,
  { budget, caller }: WebBodyShare,
): Promise<BodyReading> {
  const { headers, body } = request;
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return unread(415, 'Encoded bodies are not accepted; leave Content-Encoding out');
  }
  if (Number(headers.get('content-length') ?? 0) > limits.maxBodyBytes) return tooLarge(limits);
  if (request.bodyUsed) return unread(400, 'The body was read before it came here; pass the request on unread');
  if (body === null) return { ok: true, bytes: '' };
  const arriving = new ArrivingBody(budget, caller, limits.maxBodyBytes);
  try {
    return await collect(body.getReader(), arriving, limits);
  } finally {
    arriving.drop();
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  body: ArrivingBody,
  limits: WebBodyLimits,
): Promise<BodyReading> {
  const deadline = performance.now() + limits.bodyTimeoutMs;
  try {
    for (;;) {
      const step = await inTime(reader.read(), Math.min(limits.readTimeoutMs, deadline - performance.now()));
      if (step === LATE) return refused(reader, unread(408, 'The body did not arrive in time'));
      if (step.done) return { ok: true, bytes: body.take() };
      if (body.receivedBytes + step.value.byteLength > limits.maxBodyBytes) return refused(reader, tooLarge(limits));
      if (!body.append(step.value)) return refused(reader, CROWDED);
    }
  } catch {
    return unread(400, 'The body is incomplete');
  }
}

function refused(reader: ReadableStreamDefaultReader<Uint8Array>, reading: BodyReading): BodyReading {
  // The result of the cancellation is not needed.
  reader.cancel().catch(() => undefined);
  return reading;
}

function tooLarge({ maxBodyBytes }: WebBodyLimits): BodyReading {
  return unread(413, `The body is larger than ${maxBodyBytes} bytes`);
}

async function inTime<T>(pending: Promise<T>, timeoutMs: number): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), Math.max(0, timeoutMs));
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}

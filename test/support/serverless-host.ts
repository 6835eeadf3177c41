import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';

import type { PostedRequest } from './mcp-request.js';

/** What such a host puts in place of a connection. */
export interface StandIn {
  readonly name: string;
  /** Of the request. */
  readonly incoming: () => object | undefined;
  /** Of the response; it hands what is written to `take`. */
  readonly outgoing: (take: (text: string) => void) => object;
  /** Whether headers are there as a list too, with their version as a number, as the parser of Node gives them. */
  readonly parsesHeaders: boolean;
}

type Written = (() => void) | undefined;

const nothing = (): void => undefined;

/** As `@codegenie/serverless-express` and `serverless-http` have it: calls back at once, and returns nothing. */
const plain = (take: (text: string) => void): object => ({
  ...{ _writableState: {}, writable: true },
  ...{ on: nothing, removeListener: nothing, destroy: nothing, cork: nothing, uncork: nothing },
  write: (data: string | Uint8Array, encoding?: BufferEncoding | Written, written?: Written): void => {
    take(typeof data === 'string' ? data : Buffer.from(data).toString('utf8'));
    (typeof encoding === 'function' ? encoding : written)?.();
  },
});

/** A stream that is no connection, as hosts for tests have it. */
const stub = (take: (text: string) => void): object =>
  new Writable({
    write(chunk: Buffer, _encoding, written): void {
      take(chunk.toString('utf8'));
      setImmediate(written);
    },
  });

export const STAND_INS: readonly StandIn[] = [
  {
    name: 'a plain object',
    incoming: () => ({ remoteAddress: '127.0.0.1', address: () => ({ port: 443 }), end: nothing, destroy: nothing }),
    outgoing: plain,
    parsesHeaders: false,
  },
  {
    name: 'a plain object that cannot be changed',
    incoming: () => Object.freeze({ remoteAddress: '127.0.0.1' }),
    outgoing: plain,
    parsesHeaders: true,
  },
  { name: 'nothing', incoming: () => undefined, outgoing: plain, parsesHeaders: true },
  { name: 'a stream', incoming: () => stub(nothing), outgoing: stub, parsesHeaders: true },
];

/** One answer of such a host, as far as it has come. */
export class HostedAnswer {
  private raw = '';
  private readonly waiting: (() => void)[] = [];
  /** Resolves when the answer is complete. */
  readonly finished: Promise<void>;

  constructor(
    readonly response: ServerResponse,
    socket: (take: (text: string) => void) => object,
  ) {
    response.assignSocket(socket((text) => this.take(text)) as Socket);
    this.finished = new Promise((resolve) => response.once('finish', resolve));
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.raw)?.[1]);
  }

  /** What follows the head, with the framing of chunks left out. */
  get body(): string {
    const text = this.raw.slice(this.raw.indexOf('\r\n\r\n') + 4);
    return text.replaceAll(/^[\da-f]+\r\n|\r\n(?:[\da-f]+\r\n|$)|\r\n/gim, '');
  }

  get messages(): readonly { readonly [name: string]: unknown }[] {
    const parts = this.body.startsWith('{') ? [this.body] : this.body.split('\n').filter((line) => /^data:/.test(line));
    return parts.map((part) => JSON.parse(part.replace(/^data:/, '')) as Record<string, unknown>);
  }

  async until(text: string): Promise<void> {
    while (!this.raw.includes(text)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private take(text: string): void {
    this.raw += text;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Hands a request without a connection to a handler, as hosts do that get it as an event. */
export function invoke(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  { headers, body }: PostedRequest,
  { incoming, outgoing, parsesHeaders }: StandIn,
): HostedAnswer {
  const request = new IncomingMessage(incoming() as Socket);
  const all = { ...headers, host: 'example.com', 'content-length': String(Buffer.byteLength(body)) };
  const version = parsesHeaders ? { httpVersionMajor: 1, httpVersionMinor: 1 } : { httpVersionMajor: '1' };
  Object.assign(request, { method: 'POST', url: '/mcp', headers: all, httpVersion: '1.1', complete: true, ...version });
  if (parsesHeaders) request.rawHeaders.push(...Object.entries(all).flat());
  Object.assign(request, {
    _read(): void {
      request.push(body);
      request.push(null);
    },
  });
  const answer = new HostedAnswer(new ServerResponse(request), outgoing);
  handler(request, answer.response);
  return answer;
}

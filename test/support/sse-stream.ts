import { request, type ClientRequest, type IncomingMessage } from 'node:http';

import type { PostedRequest } from './mcp-request.js';
import { checkWireMessage, type WireMessage } from './wire-oracle.js';

export interface SseOptions {
  readonly path?: string;
  /** Method of the request, so that its result is checked as well. */
  readonly method?: string;
}

/** One posted request on a connection of its own, whose answer a test reads while it is still open. */
export class SseStream implements Disposable {
  /** What came so far, each checked against the official schemas; of an answer that is no stream its one JSON message. */
  readonly messages: WireMessage[] = [];
  /** Comment lines so far, without their colon. */
  readonly comments: string[] = [];
  /** Resolves when the answer is complete or the connection is gone. */
  readonly closed: Promise<'ended' | 'cut'>;

  private text = '';
  private over = false;
  private fault: unknown;
  private waiting: (() => void)[] = [];

  private constructor(
    private readonly outgoing: ClientRequest,
    private readonly incoming: IncomingMessage,
    private readonly method: string | undefined,
  ) {
    incoming.setEncoding('utf8').on('data', (piece: string) => this.take(piece));
    // A cut shows as `closed`.
    for (const emitter of [incoming, outgoing]) emitter.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      incoming.once('close', () => {
        this.end();
        resolve(incoming.complete ? 'ended' : 'cut');
      });
    });
  }

  /** Resolves when the head of the answer is there. */
  static open(
    origin: string,
    { headers, body }: PostedRequest,
    { path = '/mcp', method }: SseOptions = {},
  ): Promise<SseStream> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${origin}${path}`, { method: 'POST', headers, agent: false });
      outgoing.once('error', reject);
      outgoing.once('response', (incoming) => resolve(new SseStream(outgoing, incoming, method)));
      outgoing.end(body);
    });
  }

  get status(): number {
    return this.incoming.statusCode ?? 0;
  }

  get headers(): IncomingMessage['headers'] {
    return this.incoming.headers;
  }

  get streams(): boolean {
    return this.headers['content-type']?.startsWith('text/event-stream') === true;
  }

  /** Waits until this holds of what came in; fails when the stream ends before. */
  async until(holds: (stream: SseStream) => boolean): Promise<void> {
    while (!holds(this)) {
      if (this.fault !== undefined) throw this.fault;
      if (this.over) throw new Error(`The stream ended too early, after ${JSON.stringify(this.messages)}`);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.fault !== undefined) throw this.fault;
  }

  /** The first message of which this holds, whether it is there or still has to come. */
  async message(matches: (message: WireMessage) => boolean): Promise<WireMessage> {
    await this.until(({ messages }) => messages.some(matches));
    return this.messages.find(matches) as WireMessage;
  }

  /** The messages of the whole answer; fails when it is cut off. */
  async whole(): Promise<readonly WireMessage[]> {
    const how = await this.closed;
    if (this.fault !== undefined) throw this.fault;
    if (how === 'cut') throw new Error(`The stream was cut off after ${JSON.stringify(this.messages)}`);
    return this.messages;
  }

  /** Stops reading: what the server writes from now on piles up on its side. */
  pause(): void {
    this.incoming.pause();
  }

  resume(): void {
    this.incoming.resume();
  }

  destroy(): void {
    this.outgoing.destroy();
  }

  /** Goes away without a farewell. */
  reset(): void {
    this.incoming.socket.resetAndDestroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  private take(piece: string): void {
    this.text += piece;
    if (!this.streams) return;
    const events = this.text.split('\n\n');
    this.text = events.pop() ?? '';
    for (const event of events) this.read(event);
    this.wake();
  }

  private read(event: string): void {
    const lines = event.split('\n');
    this.comments.push(...lines.filter((line) => line.startsWith(':')).map((line) => line.slice(1).trim()));
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length).trim());
    if (data.length > 0) this.keep(data.join('\n'));
  }

  private keep(json: string): void {
    try {
      const message = JSON.parse(json) as WireMessage;
      this.messages.push(message);
      checkWireMessage(message, this.method);
    } catch (error) {
      this.fault ??= error;
    }
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    const isJson = this.headers['content-type']?.includes('json') === true;
    if (isJson && this.incoming.complete && this.text !== '') this.keep(this.text);
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

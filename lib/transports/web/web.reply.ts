import type { Observer } from 'rxjs';

import type { ReplyStream } from '../../server/reply.stream.js';
import type { OutgoingMessage } from '../../wire/exchange.js';
import { JSON_MEDIA_TYPE } from '../../wire/headers.js';
import { encodeSseMessage, SSE_HEADERS, SSE_KEEP_ALIVE } from '../../wire/sse.encoder.js';
import type { StandInResponse } from '../in-process/stand-in-response.js';
import type { OpenReplies, OpenReply } from '../../server/open-replies.js';
import { CACHE_CONTROL, NO_STORE } from '../node-http/http-platform.js';

/** Time limits of an answer, in milliseconds. */
export interface WebReplyLimits {
  readonly keepAliveMs: number;
  readonly writeTimeoutMs: number;
}

export interface WebReplyDependencies {
  readonly limits: WebReplyLimits;
  readonly replies: OpenReplies;
  /** The stand-in response with the headers that guards and handlers set. */
  readonly head: StandInResponse;
  /** Aborts when the client of the host has left. */
  readonly signal: AbortSignal;
}

interface Frame {
  readonly text: string;
  readonly written: (() => void) | undefined;
}

const JSON_TYPE = { 'content-type': JSON_MEDIA_TYPE };
const UNCACHED_JSON = { ...JSON_TYPE, [CACHE_CONTROL]: NO_STORE };
/** The answer after the client has left; it is not read. */
const CLIENT_GONE = 499;
const NO_CONTENT = 204;

const encoder = new TextEncoder();

/**
 * One answer as a web-standard `Response`: JSON when the response comes first, a stream when a notification does. A stream
 * is written at the pace of its reader, and cancelled if it is not read.
 */
export class WebReply implements Partial<Observer<OutgoingMessage>>, OpenReply {
  private readonly frames: Frame[] = [];
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private resolve: ((response: Response) => void) | undefined;
  /** Called when data is available, or the stream has ended. */
  private wake: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isComplete = false;
  private isOver = false;

  constructor(
    private readonly stream: ReplyStream,
    private readonly parts: WebReplyDependencies,
  ) {}

  answer(): Promise<Response> {
    const { replies, signal } = this.parts;
    return new Promise((resolve) => {
      this.resolve = resolve;
      if (signal.aborted) {
        this.respond(null, CLIENT_GONE, {});
        return;
      }
      replies.add(this);
      signal.addEventListener('abort', this.abandon, { once: true });
      this.stream.subscribe(this);
    });
  }

  readonly next = ({ kind, json, status, headers, written }: OutgoingMessage): void => {
    if (this.isOver) {
      written?.();
      return;
    }
    if (this.controller === undefined && kind !== 'notification') {
      this.end();
      if (kind === 'nothing') this.respond(null, NO_CONTENT, {});
      else this.respond(json, status, { ...this.jsonHeaders(), ...headers });
      return;
    }
    if (this.controller === undefined) this.open();
    if (kind !== 'nothing') this.push({ text: encodeSseMessage(json), written });
  };

  readonly complete = (): void => {
    this.isComplete = true;
    this.wake?.();
  };

  dismiss(): void {
    this.stream.dismiss();
  }

  destroy(): void {
    this.abandon();
  }

  private readonly abandon = (): void => {
    if (this.isOver) return;
    this.end();
    this.stream.unsubscribe();
    for (const { written } of this.frames.splice(0)) written?.();
    this.controller?.error(new Error('The answer was given up.'));
    this.respond(null, CLIENT_GONE, {});
  };

  private open(): void {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller;
        },
        pull: () => this.pull(),
        cancel: () => this.abandon(),
      },
      // Nothing is queued before the consumer reads.
      { highWaterMark: 0 },
    );
    this.respond(body, 200, SSE_HEADERS);
  }

  /** `Cache-Control` of the app takes precedence. */
  private jsonHeaders(): Readonly<Record<string, string>> {
    return this.parts.head.hasHeader(CACHE_CONTROL) ? JSON_TYPE : UNCACHED_JSON;
  }

  private push(frame: Frame): void {
    this.frames.push(frame);
    if (this.wake === undefined) this.watch(this.parts.limits.writeTimeoutMs, this.abandon);
    else this.wake();
  }

  /** Resolves when data was queued; the stream then calls it again. */
  private async pull(): Promise<void> {
    if (this.frames.length === 0 && !this.isComplete && !this.isOver) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        this.watch(this.parts.limits.keepAliveMs, resolve);
      });
      this.wake = undefined;
    }
    clearTimeout(this.timer);
    if (this.isOver) return;
    const frame = this.frames.shift();
    if (frame !== undefined) this.controller?.enqueue(encoder.encode(frame.text));
    else if (!this.isComplete) this.controller?.enqueue(encoder.encode(SSE_KEEP_ALIVE));
    frame?.written?.();
    if (this.frames.length > 0) this.watch(this.parts.limits.writeTimeoutMs, this.abandon);
    else if (this.isComplete) {
      this.end();
      this.controller?.close();
    }
  }

  private watch(timeoutMs: number, run: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(run, timeoutMs);
    this.timer.unref();
  }

  private end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.parts.signal.removeEventListener('abort', this.abandon);
    this.parts.replies.delete(this);
    this.wake?.();
  }

  private respond(body: string | ReadableStream<Uint8Array> | null, status: number, own: Record<string, string>): void {
    const headers = new Headers();
    for (const [name, value] of Object.entries(this.parts.head.getHeaders())) {
      for (const item of [value].flat()) headers.append(name, String(item));
    }
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    this.parts.head.headersSent = true;
    this.resolve?.(new Response(body, { status, headers }));
    this.resolve = undefined;
  }
}

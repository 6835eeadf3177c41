import type { ServerResponse } from 'node:http';

import type { Observer, Subscribable, Unsubscribable } from 'rxjs';

import type { OutgoingMessage, ReplyForms } from '../../wire/exchange.js';
import { encodeSseMessage } from '../../wire/sse.encoder.js';
import type { HttpPlatform } from '../platforms/http-platform.js';
import type { OpenReplies } from './open-replies.js';

const JSON_HEADERS = Object.freeze({ 'content-type': 'application/json' });
const STREAM_HEADERS = Object.freeze({
  'content-type': 'text/event-stream',
  // Proxies and compression must neither keep nor hold back events.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

/**
 * Writes one answer: plain JSON when the response comes first, a stream when a notification does. When the response
 * closes before the final message was written, the client has gone, and unsubscribing cancels the handler.
 */
export class ReplyWriter implements Partial<Observer<OutgoingMessage>> {
  private subscription: Unsubscribable | undefined;
  private over = false;
  private stream: ServerResponse | undefined;
  private resolve: (() => void) | undefined;
  /** Acknowledgements of frames that the socket has not taken yet. */
  private unwritten: Set<() => void> | undefined;

  constructor(
    private readonly platform: HttpPlatform,
    private readonly response: unknown,
    private readonly forms: ReplyForms,
    private readonly replies: OpenReplies,
  ) {}

  /** Nothing is returned where nothing has to be waited for. */
  write(messages: Subscribable<OutgoingMessage>): Promise<void> | undefined {
    const raw = this.platform.rawResponse(this.response);
    // The client left, or the app answered, while guards ran and the body came in: nobody waits for the handler.
    if (raw.destroyed) return undefined;
    this.subscription = messages.subscribe(this);
    if (this.over && raw.writableEnded && raw.writableLength === 0) return undefined;
    this.replies.add(this);
    raw.on('close', this.closed);
    if (this.over) return undefined;
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  destroy(): void {
    this.platform.rawResponse(this.response).destroy();
  }

  private readonly closed = (): void => {
    // Whether the final message was written, not whether its bytes were flushed, tells a leave from an end.
    this.over = true;
    this.subscription?.unsubscribe();
    for (const acknowledge of this.unwritten ?? []) acknowledge();
    this.unwritten = undefined;
    // Until now bytes of the answer may have waited for a slow client.
    this.replies.delete(this);
    this.resolve?.();
  };

  /** Called by the subscription above. */
  next(message: OutgoingMessage): void {
    const raw = this.platform.rawResponse(this.response);
    // A filter or timeout of the app may have answered in the meantime.
    if (this.over || (raw.headersSent && this.stream === undefined)) {
      message.written?.();
      return;
    }
    if (this.stream === undefined && this.replies.stopping) raw.shouldKeepAlive = false;
    if (message.kind === 'response' && this.stream === undefined && this.fitsJson(message)) {
      this.over = true;
      this.platform.send(this.response, { status: message.status, headers: JSON_HEADERS, body: message.json });
      this.resolve?.();
      return;
    }
    this.stream ??= this.platform.openStream(this.response, 200, STREAM_HEADERS);
    this.writeFrame(this.stream, message);
  }

  /** A stream is always 200, so an error whose status the protocol mandates is JSON even for those who prefer a stream. */
  private fitsJson({ status }: OutgoingMessage): boolean {
    return this.forms.json || status !== 200;
  }

  private writeFrame(stream: ServerResponse, { kind, json, written }: OutgoingMessage): void {
    const frame = encodeSseMessage(json);
    if (kind === 'response') {
      this.over = true;
      stream.end(frame);
      this.resolve?.();
    } else if (written === undefined) {
      stream.write(frame);
    } else {
      this.unwritten ??= new Set();
      this.unwritten.add(written);
      stream.write(frame, () => {
        if (this.unwritten?.delete(written) === true) written();
      });
    }
  }
}

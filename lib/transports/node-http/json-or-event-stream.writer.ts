import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Observer, Subscribable, Unsubscribable } from 'rxjs';

import type { OutgoingMessage, ReplyForms } from '../../wire/exchange.js';
import { encodeSseMessage, SSE_HEADERS, SSE_KEEP_ALIVE } from '../../wire/sse.encoder.js';
import { type HttpPlatform, JSON_HEADERS } from './http-platform.js';
import { hasUnwritten, type ReplyRoom, type Unread } from './reply-room.js';
import type { OpenReply } from '../../server/open-replies.js';
import { hasFollowers, isWaiting, offDeparture, onDeparture } from './connection.js';

const NO_HEADERS = Object.freeze({});

/** Messages whose source can be dismissed when the server closes. */
export interface DismissibleMessages extends Subscribable<OutgoingMessage> {
  dismiss?(): void;
}

/**
 * Writes one answer: plain JSON when the response comes first, a stream when a notification does. When the response
 * closes before the final message was written, the client has gone, and unsubscribing cancels the handler.
 */
export class ReplyWriter implements Partial<Observer<OutgoingMessage>>, OpenReply, Unread {
  private messages: DismissibleMessages | undefined;
  private subscription: Unsubscribable | undefined;
  private over = false;
  /** Whether the whole answer was passed to the operating system. */
  private flushed = false;
  private stream: ServerResponse | undefined;
  private resolve: (() => void) | undefined;
  private probe: NodeJS.Timeout | undefined;
  /** Messages of a pipelined answer that waits for its turn; written now, they would make Node stop reading. */
  private held: OutgoingMessage[] | undefined;
  /** Callbacks of the frames that exceed the high-water mark and are not written yet. */
  private unwritten: Set<() => void> | undefined;

  constructor(
    private readonly platform: HttpPlatform,
    private readonly response: unknown,
    private readonly forms: ReplyForms,
    private readonly room: ReplyRoom,
  ) {}

  /** Returns `undefined` if the answer is complete. */
  write(messages: DismissibleMessages): Promise<void> | undefined {
    const { raw } = this;
    const waits = isWaiting(raw);
    // The client left, or the app answered, while guards ran and the body arrived.
    if (raw.destroyed || (waits && raw.req.socket.destroyed)) return undefined;
    this.messages = messages;
    if (waits) this.held = [];
    this.subscription = messages.subscribe(this);
    if (this.flushed || (this.over && raw.writableEnded && isStandIn(raw))) return undefined;
    this.room.replies.add(this);
    const onClosed = (): void => this.closed();
    raw.on('close', onClosed);
    if (waits) this.wait(raw, onClosed);
    if (this.over) return undefined;
    if (!waits) this.startProbe();
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  private wait(raw: ServerResponse, onClosed: () => void): void {
    onDeparture(raw.req, onClosed);
    raw.once('socket', () => {
      offDeparture(raw.req, onClosed);
      const held = this.held ?? [];
      this.held = undefined;
      for (const message of held) this.next(message);
      if (!this.over) this.startProbe();
    });
  }

  dismiss(): void {
    if (!this.over) this.messages?.dismiss?.();
  }

  destroy(): void {
    this.raw.destroy();
  }

  private closed(): void {
    // A close before the final message was written means that the client left.
    this.over = true;
    this.subscription?.unsubscribe();
    for (const acknowledge of this.unwritten ?? []) acknowledge();
    for (const { written } of this.held?.splice(0) ?? []) written?.();
    // Until now bytes may have been waiting for a slow client.
    this.room.replies.delete(this);
    this.room.writes.delete(this);
    this.finish();
  }

  /** Called by the subscription above. */
  next(message: OutgoingMessage): void {
    if (this.held !== undefined) {
      this.held.push(message);
      return;
    }
    const { raw } = this;
    // A filter or timeout of the app may have answered in the meantime.
    if (this.over || (raw.headersSent && this.stream === undefined)) {
      message.written?.();
      return;
    }
    if (this.stream === undefined && this.room.replies.stopping && !hasFollowers(raw.req)) raw.shouldKeepAlive = false;
    if (message.kind !== 'notification' && this.stream === undefined && this.fitsPlain(message)) {
      this.writePlain(raw, message);
      return;
    }
    const stream = this.openStream();
    // The `close` event is late if a handler emits without yielding.
    if (stream.destroyed) this.closed();
    if (stream.destroyed) message.written?.();
    else this.writeFrame(stream, message);
  }

  /** A stream always has status 200, so an error with a mandatory status is sent as JSON. */
  private fitsPlain({ status }: OutgoingMessage): boolean {
    return this.forms.json || status !== 200;
  }

  private writePlain(raw: ServerResponse, { status, headers, json }: OutgoingMessage): void {
    this.over = true;
    const type = json === '' ? NO_HEADERS : JSON_HEADERS;
    const all = headers === undefined ? type : { ...type, ...this.unset(headers) };
    this.platform.send(this.response, { status, headers: all, body: json });
    this.flushed = raw.writableEnded && !hasUnwritten(raw);
    if (!this.flushed) this.room.writes.add(this);
    this.finish();
  }

  /** Headers that the app has set, such as a challenge of a guard, take precedence. */
  private unset(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).filter(([name]) => !this.platform.hasHeader(this.response, name)),
    );
  }

  private openStream(): ServerResponse {
    if (this.stream === undefined) {
      this.stream = this.platform.openStream(this.response, 200, SSE_HEADERS);
      this.room.writes.add(this);
      this.room.keepAlive.add(this.stream);
    }
    return this.stream;
  }

  private writeFrame(stream: ServerResponse, { kind, json, written }: OutgoingMessage): void {
    if (kind === 'notification') {
      const text = encodeSseMessage(json);
      if (written === undefined) stream.write(text);
      else this.writeAcknowledged(stream, text, written);
      return;
    }
    this.over = true;
    if (json === '') stream.end();
    else stream.end(encodeSseMessage(json));
    this.finish();
  }

  /** Below the high-water mark the sender continues at once, so that one system call writes several frames. */
  private writeAcknowledged(stream: ServerResponse, text: string, written: () => void): void {
    const unwritten = (this.unwritten ??= new Set());
    const acknowledge = (): void => {
      if (unwritten.delete(acknowledge)) written();
    };
    unwritten.add(acknowledge);
    if (stream.write(text, acknowledge)) acknowledge();
  }

  get raw(): ServerResponse {
    return this.platform.rawResponse(this.response);
  }

  /** Called when the client has not read pending bytes for too long. */
  disconnect(): void {
    this.raw.destroy();
    this.closed();
  }

  /** On hosts that do not report departures, only a write detects them. */
  private startProbe(): void {
    const { disconnectProbeMs } = this.room;
    if (disconnectProbeMs === undefined || !this.forms.sse) return;
    this.probe = setTimeout(() => {
      const { raw } = this;
      if (this.over || raw.headersSent) return;
      this.openStream().write(SSE_KEEP_ALIVE);
    }, disconnectProbeMs).unref();
  }

  /** Called after the last write. */
  private finish(): void {
    if (this.probe !== undefined) clearTimeout(this.probe);
    if (this.stream !== undefined) this.room.keepAlive.delete(this.stream);
    if (this.resolve === undefined) return;
    if (isStandIn(this.raw)) this.room.replies.delete(this);
    this.resolve();
  }
}

/** Hosts without connections give the response an imitated socket, which neither times out nor emits `close`. */
function isStandIn(response: ServerResponse): boolean {
  const socket = response.socket as Partial<Socket> | null | undefined;
  return socket !== null && socket !== undefined && typeof socket.setTimeout !== 'function';
}

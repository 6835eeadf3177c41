import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';

import { SSE_KEEP_ALIVE } from '../../wire/sse.encoder.js';
import { logWithReference } from '../../errors/failure.log.js';
import { OpenReplies } from '../../server/open-replies.js';

/** Whether bytes wait for the client. With an imitated socket the length is `undefined`, and the result `false`. */
export function hasUnwritten({ writableLength }: ServerResponse): boolean {
  return writableLength > 0;
}

/** Writes keep-alive comments to silent streams: proxies keep them open, and a write detects departures. */
class KeepAlive {
  private readonly streams = new Set<ServerResponse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly intervalMs: number) {}

  add(stream: ServerResponse): void {
    this.streams.add(stream);
    this.timer ??= setInterval(() => this.beat(), this.intervalMs).unref();
  }

  delete(stream: ServerResponse): void {
    this.streams.delete(stream);
  }

  /** The timer runs for one more interval without streams, because streams are often short and follow one another. */
  private beat(): void {
    if (this.streams.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    // Pending bytes already keep the connection active.
    for (const stream of this.streams) if (!hasUnwritten(stream)) stream.write(SSE_KEEP_ALIVE);
  }
}

const LOOKS_PER_TIMEOUT = 20;
const SHORTEST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 500;

/** An answer that is ended when its client does not read for too long. */
export interface Unread {
  readonly raw: ServerResponse;
  disconnect(): void;
}

interface Progress {
  since: number;
  taken: number;
}

/**
 * Detects clients that do not read pending bytes. The timeout of a socket is not suitable: it takes up to twice its time,
 * and remains on connections that the app uses for other routes.
 */
export class WriteWatch {
  private readonly watched = new Map<Unread, Progress>();
  private readonly lookMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly timeoutMs: number) {
    this.lookMs = Math.max(SHORTEST_LOOK_MS, Math.min(LONGEST_LOOK_MS, Math.floor(timeoutMs / LOOKS_PER_TIMEOUT)));
  }

  add(unread: Unread): void {
    this.watched.set(unread, { since: performance.now(), taken: takenOf(unread.raw) });
    this.timer ??= setInterval(() => this.look(), this.lookMs).unref();
  }

  delete(unread: Unread): void {
    this.watched.delete(unread);
  }

  private look(): void {
    const now = performance.now();
    for (const [unread, progress] of this.watched) {
      const taken = takenOf(unread.raw);
      if (!hasUnwritten(unread.raw) || !Object.is(taken, progress.taken)) {
        progress.since = now;
        progress.taken = taken;
      } else if (now - progress.since >= this.timeoutMs) {
        this.watched.delete(unread);
        unread.disconnect();
      }
    }
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/**
 * Bytes that the operating system has taken from the connection. One large write counts piece by piece, which the stream
 * does not show: its handle does. With HTTP/2, all streams of a connection count together, as in Node's own timeouts.
 */
function takenOf({ socket }: ServerResponse): number {
  if (!socket) return 0;
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

/** A request that waits for code of the app. */
export interface Wait {
  /** When the wait began, by `performance.now()`. */
  since: number;
}

export interface WaitRules<W extends Wait> {
  /** Whether the wait is over: the app has answered, or the client has left. */
  isOver(wait: W): boolean;
  /** Called once, when the time limit is reached. */
  expire(wait: W): void;
}

/** Interval after which finished waits are removed, in milliseconds. */
const LOOK_MS = 250;

/** One timer for all waits of an endpoint; it stops when there are none. */
export class WaitSweeper<W extends Wait> {
  private readonly waits = new Set<W>();
  private timer: NodeJS.Timeout | undefined;
  private readonly logger = new Logger('McpModule');
  /** Answers are written in the asynchronous context of the app, not in that of the first request. */
  private readonly context = new AsyncResource('nestjs-mcp.waits');

  constructor(
    private readonly limitMs: number,
    private readonly rules: WaitRules<W>,
  ) {}

  add(wait: W): void {
    if (this.limitMs === Infinity) return;
    wait.since = performance.now();
    this.waits.add(wait);
    if (this.timer === undefined) this.arm(Math.min(LOOK_MS, this.limitMs));
  }

  delete(wait: W): void {
    this.waits.delete(wait);
  }

  private arm(delayMs: number): void {
    this.timer = this.context.runInAsyncScope(() => setTimeout(() => this.sweep(), delayMs).unref());
  }

  private sweep(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const wait of this.waits) {
      const isDue = now - wait.since >= this.limitMs;
      if (!isDue && !this.rules.isOver(wait)) continue;
      this.waits.delete(wait);
      if (isDue) this.expire(wait);
    }
    // The first is the oldest, because all have the same time limit.
    const [oldest] = this.waits;
    if (oldest !== undefined) this.arm(Math.max(1, Math.min(LOOK_MS, Math.ceil(oldest.since + this.limitMs - now))));
  }

  /** A timer must not throw. */
  private expire(wait: W): void {
    try {
      if (!this.rules.isOver(wait)) this.rules.expire(wait);
    } catch (error) {
      logWithReference(this.logger, 'A request that took too long could not be answered', error);
    }
  }
}

/** Time limits of answers, in milliseconds. */
export interface ReplyLimits {
  readonly keepAliveMs: number;
  readonly writeTimeoutMs: number;
  readonly disconnectProbeMs?: number;
}

/** What all answers of one endpoint share. */
export class ReplyRoom {
  readonly replies = new OpenReplies();
  readonly keepAlive: KeepAlive;
  readonly writes: WriteWatch;
  readonly disconnectProbeMs: number | undefined;

  constructor({ keepAliveMs, writeTimeoutMs, disconnectProbeMs }: ReplyLimits) {
    this.keepAlive = new KeepAlive(Math.min(keepAliveMs, disconnectProbeMs ?? keepAliveMs));
    this.writes = new WriteWatch(writeTimeoutMs);
    this.disconnectProbeMs = disconnectProbeMs;
  }
}

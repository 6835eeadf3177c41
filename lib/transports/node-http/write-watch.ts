import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { hasUnwritten } from './keep-alive.js';

const LOOKS_PER_TIMEOUT = 20;
const SHORTEST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 500;

/** What is watched, and told when its client takes nothing for too long. */
export interface Unread {
  readonly raw: ServerResponse;
  letGo(): void;
}

interface Progress {
  since: number;
  taken: number;
}

/**
 * Finds clients that take nothing of what is there. The timeout of a socket cannot: it takes up to twice its time, and
 * stays on connections that the app may use for other routes.
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
        unread.letGo();
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

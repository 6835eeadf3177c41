import type { ServerResponse } from 'node:http';

import { SSE_KEEP_ALIVE } from '../../wire/sse.encoder.js';

/** Whether bytes of it wait for the client. Where something stands in for a connection, Node knows no number. */
export function hasUnwritten({ writableLength }: ServerResponse): boolean {
  return writableLength > 0;
}

/** Lets silent streams be seen: proxies keep what carries traffic, and a write finds out who has gone. */
export class KeepAlive {
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

  /** The timer goes on for one beat without streams, since most of them are short and follow one another. */
  private beat(): void {
    if (this.streams.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    // A client that has not taken what is there needs no more of it.
    for (const stream of this.streams) if (!hasUnwritten(stream)) stream.write(SSE_KEEP_ALIVE);
  }
}

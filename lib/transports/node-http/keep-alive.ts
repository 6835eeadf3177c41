import type { ServerResponse } from 'node:http';

import { SSE_KEEP_ALIVE } from '../../wire/sse.encoder.js';

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
    if (!this.streams.delete(stream) || this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private beat(): void {
    // A client that has not taken what is there needs no more of it.
    for (const stream of this.streams) if (stream.writableLength === 0) stream.write(SSE_KEEP_ALIVE);
  }
}

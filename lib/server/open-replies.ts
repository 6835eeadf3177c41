/** An answer that is not complete yet. */
export interface OpenReply {
  /** Ends the answer with a final message. */
  dismiss(): void;
  /** Ends the answer immediately, without the rest of it. */
  destroy(): void;
}

/** Time for clients to read the final message, in milliseconds. */
export const FAREWELL_MS = 250;

/** Tracks all incomplete answers, so that a closing app can wait for them, up to a time limit. */
export class OpenReplies {
  private readonly open = new Set<OpenReply>();
  private readonly whenEmpty = new Set<() => void>();
  private stopped = false;
  /** When answers that are still open are asked to end. */
  private deadline: number | undefined;

  /** Answers written from now on close their connections, which would otherwise keep the app open. */
  get stopping(): boolean {
    return this.stopped;
  }

  get size(): number {
    return this.open.size;
  }

  add(reply: OpenReply): void {
    this.open.add(reply);
    // An interceptor of the app may have delayed this answer until after the drain began.
    if (this.deadline !== undefined) setTimeout(() => this.cut(reply), this.deadline - performance.now()).unref();
  }

  delete(reply: OpenReply): void {
    this.open.delete(reply);
    if (this.open.size > 0) return;
    for (const resolve of this.whenEmpty) resolve();
  }

  stop(): void {
    this.stopped = true;
  }

  /** Resolves when all answers are written. Late answers are asked to end, then destroyed. */
  async drain(timeoutMs: number): Promise<void> {
    this.deadline ??= performance.now() + timeoutMs;
    await this.emptyWithin(timeoutMs);
    for (const reply of this.open) reply.dismiss();
    await this.emptyWithin(FAREWELL_MS);
    this.destroyAll();
  }

  /** All clients have disconnected. */
  destroyAll(): void {
    for (const reply of this.open) reply.destroy();
  }

  private cut(reply: OpenReply): void {
    if (!this.open.has(reply)) return;
    reply.dismiss();
    setTimeout(() => reply.destroy(), FAREWELL_MS).unref();
  }

  private async emptyWithin(timeoutMs: number): Promise<void> {
    if (this.open.size === 0) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.whenEmpty.delete(settle);
        resolve();
      };
      const timer = setTimeout(settle, timeoutMs);
      this.whenEmpty.add(settle);
    });
  }
}

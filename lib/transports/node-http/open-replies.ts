/** An answer that is not complete yet. */
export interface OpenReply {
  /** Ends it at once, whatever it still had to say. */
  destroy(): void;
}

/** Knows every answer on its way, so that closing the app can wait for them, up to a limit. */
export class OpenReplies {
  private readonly open = new Set<OpenReply>();
  private whenEmpty: (() => void) | undefined;
  private stopped = false;
  /** When what is still open is cut off. */
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
    // An interceptor of the app may have held this one back until the others were waited for.
    if (this.deadline !== undefined) setTimeout(() => this.cut(reply), this.deadline - performance.now()).unref();
  }

  delete(reply: OpenReply): void {
    this.open.delete(reply);
    if (this.open.size === 0) this.whenEmpty?.();
  }

  stop(): void {
    this.stopped = true;
  }

  /** Resolves when all answers are written; those that are late are cut off. */
  async drain(timeoutMs: number): Promise<void> {
    this.deadline ??= performance.now() + timeoutMs;
    if (this.open.size > 0) await this.emptyWithin(timeoutMs);
    for (const reply of this.open) reply.destroy();
  }

  private cut(reply: OpenReply): void {
    if (this.open.has(reply)) reply.destroy();
  }

  private emptyWithin(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.whenEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

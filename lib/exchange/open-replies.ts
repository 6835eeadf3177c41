/** An answer that is not complete yet. */
export interface OpenReply {
  /** Ends it with a last word, since its time is over. */
  dismiss(): void;
  /** Ends it at once, whatever it still had to say. */
  destroy(): void;
}

/** How long the last words may take to be read. */
export const FAREWELL_MS = 250;

/** Knows every answer on its way, so that closing the app can wait for them, up to a limit. */
export class OpenReplies {
  private readonly open = new Set<OpenReply>();
  private readonly whenEmpty = new Set<() => void>();
  private stopped = false;
  /** When what is still open is told to end. */
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
    if (this.open.size > 0) return;
    for (const resolve of this.whenEmpty) resolve();
  }

  stop(): void {
    this.stopped = true;
  }

  /** Resolves when all answers are written; those that are late are dismissed, and cut off when that is not read either. */
  async drain(timeoutMs: number): Promise<void> {
    this.deadline ??= performance.now() + timeoutMs;
    await this.emptyWithin(timeoutMs);
    for (const reply of this.open) reply.dismiss();
    await this.emptyWithin(FAREWELL_MS);
    this.destroyAll();
  }

  /** Nobody is left who could read them. */
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

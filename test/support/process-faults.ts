import { runInThisContext } from 'node:vm';

/** Jest gives tests a copy of `process` that hears of neither; this is the real one. */
const realProcess = runInThisContext('process') as NodeJS.Process;

/** What would have ended the process: `using faults = new ProcessFaults()`. */
export class ProcessFaults implements Disposable {
  readonly seen: unknown[] = [];
  private readonly note = (error: unknown): void => void this.seen.push(error);

  constructor() {
    realProcess.on('uncaughtException', this.note).on('unhandledRejection', this.note);
  }

  /** What has come until now: promises are looked at after a turn, and RxJS throws in a timer. */
  async all(): Promise<readonly unknown[]> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setImmediate(resolve));
    return this.seen;
  }

  [Symbol.dispose](): void {
    realProcess.off('uncaughtException', this.note).off('unhandledRejection', this.note);
  }
}

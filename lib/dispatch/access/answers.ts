/** Concurrent questions per request, since each may query a database, and lists can have thousands of components. */
export const MAX_PENDING = 32;

/**
 * Asks questions in order and returns their answers; returns a promise only if an answer is one. If one answer fails,
 * all of it fails, and no further question is asked.
 */
export function askInOrder<T>(
  count: number,
  ask: (index: number) => T | Promise<T>,
): readonly T[] | Promise<readonly T[]> {
  return new Questions(count, ask).answer();
}

class Questions<T> {
  private readonly answers: T[] = [];
  /** Each sequence waits for its answer, and then asks the next question. */
  private readonly sequences: Promise<void>[] = [];
  private asked = 0;

  constructor(
    private count: number,
    private readonly ask: (index: number) => T | Promise<T>,
  ) {}

  answer(): readonly T[] | Promise<readonly T[]> {
    while (this.asked < this.count && this.sequences.length < MAX_PENDING) {
      const pending = this.askNext();
      if (pending !== undefined) this.sequences.push(this.continueAfter(pending));
    }
    return this.sequences.length === 0 ? this.answers : Promise.all(this.sequences).then(() => this.answers);
  }

  /** Returns `undefined` for a synchronous answer. A synchronous error becomes a rejection, so that pending answers are still awaited. */
  private askNext(): Promise<void> | undefined {
    const index = this.asked;
    this.asked += 1;
    try {
      const answer = this.ask(index);
      if (answer instanceof Promise) return answer.then((settled) => this.keep(index, settled));
      this.keep(index, answer);
      return undefined;
    } catch (error) {
      this.count = 0;
      return Promise.reject(error);
    }
  }

  private async continueAfter(first: Promise<void>): Promise<void> {
    try {
      await first;
      while (this.asked < this.count) await this.askNext();
    } catch (error) {
      this.count = 0;
      throw error;
    }
  }

  private keep(index: number, answer: T): void {
    this.answers[index] = answer;
  }
}

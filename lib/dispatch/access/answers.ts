/** So many of one request at a time, since each may ask a database, and lists can have thousands of components. */
export const MAX_PENDING = 32;

/**
 * The answers to questions that are asked in order; a promise only where one of them is. Once an answer fails, so does
 * the whole, and no further question is asked.
 */
export function askInOrder<T>(
  count: number,
  ask: (index: number) => T | Promise<T>,
): readonly T[] | Promise<readonly T[]> {
  return new Questions(count, ask).answer();
}

class Questions<T> {
  private readonly answers: T[] = [];
  /** Each waits for one answer, and then asks on. */
  private readonly strands: Promise<void>[] = [];
  private asked = 0;

  constructor(
    private count: number,
    private readonly ask: (index: number) => T | Promise<T>,
  ) {}

  answer(): readonly T[] | Promise<readonly T[]> {
    while (this.asked < this.count && this.strands.length < MAX_PENDING) {
      const pending = this.askNext();
      if (pending !== undefined) this.strands.push(this.goOn(pending));
    }
    return this.strands.length === 0 ? this.answers : Promise.all(this.strands).then(() => this.answers);
  }

  /** Nothing where the answer came at once; what is thrown is one answer among others, so that none is forgotten. */
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

  private async goOn(first: Promise<void>): Promise<void> {
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

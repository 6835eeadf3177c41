import { describe, expect, it } from '@jest/globals';

import { askInOrder, MAX_PENDING } from '../../../../lib/dispatch/access/answers.js';
import { Gate } from '../../../support/gate.js';

const COUNT = 100;

/** Questions that a test answers one by one. */
class Asked {
  readonly gates: Gate<number>[] = [];
  /** Number of questions that are not answered yet. */
  pending = 0;
  most = 0;

  readonly ask = async (index: number): Promise<number> => {
    const gate = new Gate<number>();
    this.gates[index] = gate;
    this.pending += 1;
    this.most = Math.max(this.most, this.pending);
    const answer = await gate.opened;
    this.pending -= 1;
    return answer;
  };

  answer(index: number): Promise<void> {
    this.gates[index]?.open(index);
    return turn();
  }

  fail(index: number, message: string): Promise<void> {
    this.gates[index]?.open(Promise.reject(new Error(message)) as never);
    return turn();
  }
}

/** Resolves after the effects of settled promises have happened. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const numbers = Array.from({ length: COUNT }, (_value, index) => index);

describe('questions that are asked in order', () => {
  it('are answered without a promise when no question returns a promise', () => {
    expect(askInOrder(COUNT, (index) => index)).toEqual(numbers);
    expect(askInOrder(0, () => Promise.resolve(1))).toEqual([]);
  });

  it('wait for the answers that come later, and keep their order', async () => {
    const mixed = askInOrder(COUNT, (index) => (index % 7 === 3 ? Promise.resolve(index) : index));
    expect(mixed).toBeInstanceOf(Promise);
    expect(await mixed).toEqual(numbers);
  });

  it('are asked up to a maximum at the same time, and each answer starts the next question', async () => {
    const asked = new Asked();
    const answers = askInOrder(COUNT, asked.ask);
    expect(asked.gates).toHaveLength(MAX_PENDING);
    await asked.answer(5);
    await asked.answer(3);
    expect(asked.gates).toHaveLength(MAX_PENDING + 2);
    for (const index of [...numbers].reverse()) await asked.answer(index);
    for (const index of numbers) await asked.answer(index);
    expect(await answers).toEqual(numbers);
    expect(asked.most).toBe(MAX_PENDING);
  });

  it('end with the first error, and no question is asked after it', async () => {
    const asked = new Asked();
    const answers = Promise.resolve(askInOrder(COUNT, asked.ask)).catch(String);
    await asked.fail(4, 'first');
    expect(await answers).toBe('Error: first');
    await asked.fail(9, 'second');
    await asked.answer(1);
    expect(asked.gates).toHaveLength(MAX_PENDING);
  });

  it.each([0, 10, 50])(
    'end with an error that question %i throws, and no question is asked after it',
    async (broken) => {
      const asked: number[] = [];
      const answers = Promise.resolve(
        askInOrder(COUNT, (index) => {
          asked.push(index);
          if (index === broken) throw new Error('thrown');
          return index % 2 === 0 ? Promise.reject(new Error('rejected')).catch(() => index) : index;
        }),
      );
      await expect(answers).rejects.toThrow('thrown');
      await turn();
      expect(asked).toEqual(numbers.slice(0, broken + 1));
    },
  );
});

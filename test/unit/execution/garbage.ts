import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many of these something still holds on to. */
export async function countAlive(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  // References that were made or read in this turn of the loop hold their targets until the next.
  await setImmediate();
  collectGarbage();
  return references.filter((reference) => reference.deref() !== undefined).length;
}

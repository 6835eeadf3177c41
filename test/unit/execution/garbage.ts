import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns how many of the referenced objects are still alive. */
export async function countAlive(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  // References that were created or read in this turn of the event loop keep their targets alive until the next turn.
  await setImmediate();
  collectGarbage();
  return references.filter((reference) => reference.deref() !== undefined).length;
}

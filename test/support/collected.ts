import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Far more than it takes; what is still held after them is held for good. */
const ROUNDS = 50;

/** Whether nothing holds an object any more. */
export async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    // A reference that was read is held until the turn ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    if (reference.deref() === undefined) return true;
  }
  return false;
}

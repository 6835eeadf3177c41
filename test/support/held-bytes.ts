import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Heap and buffers that are still in use. */
export async function heldBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    // Finalizers and closing sockets need a turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

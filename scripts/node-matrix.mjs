import { JEST, JEST_FLAGS, run } from './command.mjs';
import { nodeBinary } from './node-binary.mjs';

/** Runs the end-to-end specs on other Node releases: `node scripts/node-matrix.mjs 22 24`. */
const majors = process.argv.slice(2);
for (const major of majors.length > 0 ? majors : ['22', '24']) {
  const node = nodeBinary(major);
  console.log(`End-to-end specs on Node ${major}`);
  run(node, [...JEST_FLAGS, JEST, 'test/e2e']);
}

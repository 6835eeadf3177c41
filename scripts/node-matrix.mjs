import { JEST, JEST_FLAGS, run } from './command.mjs';
import { nodeBinary } from './node-binary.mjs';

/** Runs end-to-end specs on other Node releases: `node scripts/node-matrix.mjs 22 24`, or `24 http stdio` for some of them. */
const args = process.argv.slice(2);
const isRelease = (arg) => /^\d+$/.test(arg);
const majors = args.filter(isRelease);
const specs = args.filter((arg) => !isRelease(arg)).map((name) => `test/e2e/${name}`);
for (const major of majors.length > 0 ? majors : ['22', '24']) {
  const node = nodeBinary(major);
  console.log(`End-to-end specs on Node ${major}`);
  run(node, [...JEST_FLAGS, JEST, ...(specs.length > 0 ? specs : ['test/e2e'])]);
}

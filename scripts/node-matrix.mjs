import { writeFileSync } from 'node:fs';
import base from '../jest.config.js';
import { JEST, JEST_FLAGS, ROOT, run } from './command.mjs';
import { nodeBinary } from './node-binary.mjs';
import { listSpecs, SLOW_SPEC, writeBatches } from './spec-batches.mjs';

/** Runs end-to-end specs on other Node releases: `node scripts/node-matrix.mjs 22 24`, or `24 http stdio` for some of them. */
const args = process.argv.slice(2);
const isRelease = (arg) => /^\d+$/.test(arg);
const majors = args.filter(isRelease);
const names = args.filter((arg) => !isRelease(arg));
const specs = listSpecs('test/e2e').filter(
  (path) => names.length === 0 || names.some((name) => path.startsWith(`test/e2e/${name}`)),
);
const files = [
  ...writeBatches('node', { e2e: specs.filter((path) => !SLOW_SPEC.test(path)) }),
  ...specs.filter((path) => SLOW_SPEC.test(path)),
];
const config = `${ROOT}.batches/node.config.json`;
writeFileSync(config, JSON.stringify({ ...base, rootDir: ROOT, testMatch: files.map((path) => `<rootDir>/${path}`) }));
for (const major of majors.length > 0 ? majors : ['22', '24']) {
  const node = nodeBinary(major);
  console.log(`End-to-end specs on Node ${major}`);
  run(node, [...JEST_FLAGS, JEST, '--config', config]);
}

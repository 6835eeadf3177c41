import { existsSync, rmSync } from 'node:fs';
import { ROOT, run, TSC } from './command.mjs';

/** Builds the samples and runs one: `npm start`, or `npm start -- 02-progress-and-subscriptions`. */
const [sample = '01-getting-started'] = process.argv.slice(2);
if (!existsSync(`${ROOT}sample/${sample}/main.ts`)) throw new Error(`There is no sample/${sample}/main.ts`);
// A folder for each, so that two of them can be started at the same time.
const output = `.build/sample/${sample}`;
rmSync(`${ROOT}${output}`, { recursive: true, force: true });
run(process.execPath, [TSC, '-p', 'tsconfig.sample.json', '--outDir', output]);
await import(new URL(`../${output}/${sample}/main.js`, import.meta.url));

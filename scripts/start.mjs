import { existsSync } from 'node:fs';
import { ROOT, run, TSC } from './command.mjs';

/** Runs one sample, as `npm start` in its folder does: `npm start`, or `npm start -- 02-progress-and-subscriptions`. */
const [sample = '01-getting-started'] = process.argv.slice(2);
const folder = `sample/${sample}`;
if (!existsSync(`${ROOT}${folder}/main.ts`)) throw new Error(`There is no ${folder}/main.ts`);
run(process.execPath, [TSC, '-p', folder]);
await import(new URL(`../${folder}/dist/main.js`, import.meta.url));

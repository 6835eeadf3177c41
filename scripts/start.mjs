import { existsSync, rmSync } from 'node:fs';
import { ROOT, run, TSC } from './command.mjs';

/** Builds the samples and runs one: `npm start`, or `npm start -- 02-another`. */
const [sample = '01-getting-started'] = process.argv.slice(2);
if (!existsSync(`${ROOT}sample/${sample}/main.ts`)) throw new Error(`There is no sample/${sample}/main.ts`);
rmSync(`${ROOT}.build/sample`, { recursive: true, force: true });
run(process.execPath, [TSC, '-p', 'tsconfig.sample.json']);
await import(new URL(`../.build/sample/${sample}/main.js`, import.meta.url));

import { existsSync } from 'node:fs';
import { ROOT, run, TSC } from './command.mjs';

/** Samples see the built package, as its users do, so they are a project of their own. */
run(process.execPath, [TSC, '-p', 'tsconfig.json']);
if (existsSync(`${ROOT}sample`)) run(process.execPath, [TSC, '-p', 'tsconfig.sample.json', '--noEmit']);

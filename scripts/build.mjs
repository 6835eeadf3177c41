import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundle } from './bundle.mjs';
import { ROOT, run, TSC } from './command.mjs';

/** The ES modules are the package, its command among them; the CommonJS copy serves tools that cannot load them. */
rmSync(`${ROOT}dist`, { recursive: true, force: true });
run(process.execPath, [TSC, '-p', 'tsconfig.build.json']);
const ENTRIES = ['index.js', 'testing/index.js', 'transports/stdio/index.js', 'client/index.js', 'host/index.js'];
await bundle(`${ROOT}dist/esm`, [ENTRIES, ['cli/main.js']]);
// Nobody imports a command.
for (const name of readdirSync(`${ROOT}dist/esm/cli`))
  if (name.endsWith('.d.ts')) rmSync(`${ROOT}dist/esm/cli/${name}`);
run(process.execPath, [TSC, '-p', 'tsconfig.cjs.json']);
writeFileSync(`${ROOT}dist/cjs/package.json`, '{ "type": "commonjs" }\n');

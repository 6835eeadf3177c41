import { rmSync, writeFileSync } from 'node:fs';
import { bundle } from './bundle.mjs';
import { ROOT, run, TSC } from './command.mjs';

/** The ES modules are the package; the CommonJS copy serves tools that cannot load them. */
rmSync(`${ROOT}dist`, { recursive: true, force: true });
run(process.execPath, [TSC, '-p', 'tsconfig.build.json']);
await bundle(`${ROOT}dist/esm`, ['index.js', 'testing/index.js', 'transports/stdio/index.js']);
run(process.execPath, [TSC, '-p', 'tsconfig.cjs.json']);
writeFileSync(`${ROOT}dist/cjs/package.json`, '{ "type": "commonjs" }\n');

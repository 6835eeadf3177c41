import { existsSync, statSync } from 'node:fs';
import { JEST, JEST_FLAGS, ROOT, run } from './command.mjs';

/** Runs the end-to-end specs against the built package on Nest 11. Build first. */
const home = `${ROOT}test/nest-11`;
const installed = `${home}/node_modules/.package-lock.json`;

if (!existsSync(`${ROOT}dist/esm/index.js`)) throw new Error('dist is missing: run npm run build');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(`${home}/package-lock.json`).mtimeMs) {
  run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: home });
}
run(process.execPath, [...JEST_FLAGS, JEST, '--config', 'test/nest-11/jest.config.js', ...process.argv.slice(2)]);

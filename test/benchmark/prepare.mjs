import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/bundle.mjs';
import { ROOT, TSC } from '../../scripts/command.mjs';

const STAND = fileURLToPath(new URL('stand/', import.meta.url));

/** A copy of its own, so that no other build changes what is measured meanwhile. */
export async function compileLibrary() {
  step(process.execPath, [TSC, '-p', 'tsconfig.build.json', '--outDir', '.build/benchmark'], ROOT);
  await bundle(`${ROOT}.build/benchmark`, [['index.js', 'transports/stdio/index.js']]);
}

/** Peers and load generator are installed apart, when a run first needs them: the library's own tree stays small. */
export function installStand() {
  const installed = `${STAND}node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${STAND}package-lock.json`).mtimeMs) return;
  step('npm', ['ci', '--no-audit', '--no-fund'], STAND);
}

/** Shows output on stderr, so that stdout holds the report alone. */
function step(command, args, cwd) {
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, { cwd, shell, stdio: ['ignore', process.stderr, process.stderr] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with exit code ${status}`);
}

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command with its output shown; anything but exit code 0 ends the script. */
export function run(command, args, options = {}) {
  const started = performance.now();
  const shown = [command, ...args].join(' ').replaceAll(ROOT, '');
  console.log(`$ ${shown}`);
  const { status, signal, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command === 'npm',
    ...options,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${shown} ended with ${signal ?? `exit code ${status}`}`);
  console.log(`  ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** The file behind a package's command, so that no shell is needed to run it. */
export const TSC = `${ROOT}node_modules/typescript/bin/tsc`;
export const JEST = `${ROOT}node_modules/jest/bin/jest.js`;

/** What Node needs to run Jest over ES modules. */
export const JEST_FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/bundle.mjs';
import { ROOT, TSC } from '../../scripts/command.mjs';
import { installApart } from '../../scripts/install-apart.mjs';

const STAND = fileURLToPath(new URL('stand/', import.meta.url));

/** A copy of its own, so that no other build changes what is measured meanwhile. */
export async function compileLibrary() {
  step(process.execPath, [TSC, '-p', 'tsconfig.build.json', '--outDir', '.build/benchmark'], ROOT);
  await bundle(`${ROOT}.build/benchmark`, [['index.js', 'transports/stdio/index.js']]);
}

/** Peers and load generator are installed apart, when a run first needs them: the library's own tree stays small. */
export function installStand() {
  installApart(STAND, (args) => step('npm', args, STAND));
}

/** Shows output on stderr, so that stdout holds the report alone. */
function step(command, args, cwd) {
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, { cwd, shell, stdio: ['ignore', process.stderr, process.stderr] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with exit code ${status}`);
}

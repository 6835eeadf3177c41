import { existsSync, statSync } from 'node:fs';

/**
 * Installs what has a folder and a lock file of its own, when it is first needed and when the lock has changed since.
 * `install` gets the arguments for npm.
 */
export function installApart(folder, install, args = ['ci']) {
  const installed = `${folder}/node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}/package-lock.json`).mtimeMs) return;
  install([...args, '--no-audit', '--no-fund', '--prefer-offline']);
}

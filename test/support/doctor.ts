import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from './markdown-page.js';

export interface Examination {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const COMMAND = join(ROOT, 'dist/esm/cli/main.js');

/** Runs the built command as a user would, at the root of the repository. */
export function nestjsMcp(...args: readonly string[]): Promise<Examination> {
  return runNode([COMMAND, ...args]);
}

/** Examines an app of `test/fixtures/doctor`. */
export function examine(fixture: string, ...options: readonly string[]): Promise<Examination> {
  return nestjsMcp('doctor', `test/fixtures/doctor/${fixture}`, ...options);
}

/** The same with variables of its environment. */
export function examineWith(env: Readonly<Record<string, string>>, fixture: string): Promise<Examination> {
  const args = [COMMAND, 'doctor', `test/fixtures/doctor/${fixture}`];
  return runNode(args, { cwd: ROOT, env: { ...process.env, ...env } });
}

/** Runs a program with everything that it prints. */
export function runNode(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv } = { cwd: ROOT },
): Promise<Examination> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
    child.once('error', reject).once('close', (exitCode) => resolve({ exitCode, ...printed }));
  });
}

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const running = new Set();

/** What was started here does not outlive this process. */
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** Starts a program and leaves its output in a file when it ends; `ended` never rejects. */
export function start(command, args, log) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk) => (text += chunk));
  }
  running.add(child);
  const ended = new Promise((resolve) => {
    const settle = (how) => {
      running.delete(child);
      writeFileSync(log, text);
      resolve(how);
    };
    child.once('error', (error) => settle(error));
    child.once('close', (code, signal) => settle(signal ?? code));
  });
  return { child, ended, output: () => text };
}

/** What a program says on stdout, as the first group of a pattern; waits until it does. */
export function announced(child, output, pattern) {
  return new Promise((resolve) => {
    child.stdout.on('data', () => {
      const said = pattern.exec(output())?.[1];
      if (said) resolve(said);
    });
  });
}

/** Waits for a promise, but not for ever. */
export async function within(milliseconds, promise, late) {
  let timer;
  const deadline = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds, late);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

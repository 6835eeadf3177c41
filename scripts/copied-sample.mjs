import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT, run } from './command.mjs';

const START_MS = 120_000;

/** Copies a sample out of the repository, installs it with the tarball, starts it and runs the `curl` line of its README. */
export async function tryCopiedSample(name, home, tarball, expected) {
  const cwd = join(home, name);
  const isSource = (path) => !['node_modules', 'dist'].includes(basename(path));
  cpSync(`${ROOT}sample/${name}`, cwd, { recursive: true, filter: isSource });
  // The tarball takes the place of the published version.
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd });

  // A process group of its own, since npm passes no signals on to what it starts.
  const env = { ...process.env, PORT: '0', NO_COLOR: '1' };
  const child = spawn('npm', ['start'], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  try {
    const url = await endpointOf(child);
    const [, block] = /```sh\n([^]*?)```/.exec(readFileSync(join(cwd, 'README.md'), 'utf8')) ?? [];
    const line = block.replace('http://127.0.0.1:3000/mcp', url);
    assert.match(execFileSync('sh', ['-c', line], { encoding: 'utf8' }), expected);
    console.log('  npm start serves, and the curl line of its README is answered');
  } finally {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

function endpointOf(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why) => reject(new Error(`The sample ${why}:\n${output}`));
    const timer = setTimeout(fail, START_MS, 'did not start in time');
    child.once('close', () => fail('ended'));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [, url] = /^MCP endpoint: (\S+)\n/m.exec(output) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

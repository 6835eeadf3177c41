import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';
import { tryCopiedSample } from './copied-sample.mjs';

/** A sample that uses most of what samples depend on, and what its README asks for. */
const SAMPLE = '01-getting-started';
const TWO_BOOKS = /"total":2/;

/** Packs the package and runs each consumer application and a sample on it, outside the repository. Packing builds it. */
const home = mkdtempSync(join(tmpdir(), 'nestjs-mcp-consumers-'));
const consumers = `${ROOT}test/consumers`;
const chosen = process.argv.slice(2);

try {
  run('npm', ['pack', '--silent', '--pack-destination', home]);
  const [tarball] = readdirSync(home).filter((name) => name.endsWith('.tgz'));
  if (!tarball) throw new Error('npm pack wrote no tarball');

  const apps = readdirSync(consumers, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const isChosen = (name) => chosen.length === 0 || chosen.includes(name);
  const names = apps.map(({ name }) => name).filter(isChosen);
  if (names.length === 0 && !isChosen(SAMPLE)) throw new Error(`No consumer is called ${chosen.join(', ')}`);

  for (const name of names) {
    const cwd = join(home, name);
    console.log(`Consumer ${name}`);
    cpSync(join(consumers, name), cwd, { recursive: true, filter: (path) => !path.includes('node_modules') });
    cpSync(join(consumers, 'ask.ts'), join(cwd, 'ask.ts'));
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock', join(home, tarball)], {
      cwd,
    });
    run('npm', ['run', '--silent', 'check'], { cwd, timeout: 300_000 });
    if (existsSync(join(cwd, 'app.module.ts'))) examine(cwd);
  }

  if (isChosen(SAMPLE)) {
    console.log(`Sample ${SAMPLE}`);
    await tryCopiedSample(SAMPLE, home, join(home, tarball), TWO_BOOKS);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The command of the package, as its users call it; `check` has compiled the module. */
function examine(cwd) {
  const args = ['--no-install', 'nestjs-mcp', 'doctor', 'app.module.js', '--json'];
  const options = { cwd, encoding: 'utf8', timeout: 60_000, shell: process.platform === 'win32' };
  const { status, stdout, stderr } = spawnSync('npx', args, options);
  assert.equal(status, 0, `npx ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  const { servers, findings } = JSON.parse(stdout);
  assert.deepEqual(findings, []);
  assert.deepEqual(
    servers.map(({ name, paths, counts }) => [name, paths, counts.tools]),
    [['consumer', ['/mcp'], 1]],
  );
  console.log('  npx nestjs-mcp doctor finds the server and nothing wrong with it');
}

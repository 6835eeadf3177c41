import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';

/** Packs the package and runs each consumer application on it, outside the repository. Packing builds it. */
const home = mkdtempSync(join(tmpdir(), 'nestjs-mcp-consumers-'));
const consumers = `${ROOT}test/consumers`;
const chosen = process.argv.slice(2);

try {
  run('npm', ['pack', '--silent', '--pack-destination', home]);
  const [tarball] = readdirSync(home).filter((name) => name.endsWith('.tgz'));
  if (!tarball) throw new Error('npm pack wrote no tarball');

  const apps = readdirSync(consumers, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = apps.map(({ name }) => name).filter((name) => chosen.length === 0 || chosen.includes(name));
  if (names.length === 0) throw new Error(`No consumer is called ${chosen.join(', ')}`);

  for (const name of names) {
    const cwd = join(home, name);
    console.log(`Consumer ${name}`);
    cpSync(join(consumers, name), cwd, { recursive: true, filter: (path) => !path.includes('node_modules') });
    cpSync(join(consumers, 'ask.ts'), join(cwd, 'ask.ts'));
    run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', join(home, tarball)], { cwd });
    run('npm', ['run', '--silent', 'check'], { cwd, timeout: 300_000 });
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

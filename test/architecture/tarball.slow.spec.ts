import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listFiles, readSource, ROOT } from './source-tree.js';

const NOTICES = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];

function packedFiles(): string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const report: unknown = JSON.parse(output);
  const [pack] = Array.isArray(report) ? report : Object.values(report ?? {});
  const files: { path: string }[] = pack.files;
  return files.map(({ path }) => path).sort();
}

/** Files of a package besides the build and its notices. */
function unexpectedFiles(files: readonly string[]): string[] {
  return files.filter((path) => !NOTICES.includes(path) && !isBuilt(path));
}

/** What a bundle imports: for the command, only what Node.js brings. */
function importsOfBundle(path: string): string[] {
  return [...readSource(path).text.matchAll(/^(?:import|export) [^;]*?from '([^']+)';$|^import '([^']+)';$/gm)].map(
    ([, from, bare]) => from ?? bare ?? '',
  );
}

function isBuilt(path: string): boolean {
  return path === 'dist/cjs/package.json' || /^dist\/(esm|cjs)\/(?!.*\.spec\.).*\.(js|js\.map|d\.ts)$/.test(path);
}

/** Lines of a lock file that tie it to one registry. */
function registryLines(text: string): string[] {
  return text.split('\n').filter((line) => /^\s*"resolved": "[a-z+]+:\/\//.test(line));
}

describe('the tarball', () => {
  it('holds the build, the notices and nothing else', () => {
    const files = packedFiles();
    expect(unexpectedFiles(files)).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([...NOTICES, 'dist/esm/index.js', 'dist/cjs/index.js', 'dist/esm/index.d.ts']),
    );
  });

  it('would be caught with sources, specs or settings in it', () => {
    const bad = ['lib/index.ts', 'dist/esm/a.spec.js', 'dist/other/a.js', '.npmrc', 'test/a.ts', 'dist/esm/data.json'];
    expect(unexpectedFiles([...bad, 'dist/esm/a.js', 'LICENSE'])).toEqual(bad);
  });
});

describe('the command', () => {
  const path = 'dist/esm/cli/main.js';

  it('is the one of the package, and can be executed', () => {
    const { bin }: { bin: unknown } = JSON.parse(readSource('package.json').text);
    expect(bin).toEqual({ 'nestjs-mcp': `./${path}` });
    expect(readSource(path).text).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(join(ROOT, path)).mode & 0o777).toBe(0o755);
  });

  it('is one file that shares nothing with the library, and has no CommonJS copy', () => {
    const files = packedFiles().filter((file) => /^dist\/\w+\/cli\//.test(file));
    expect(files).toEqual([path, `${path}.map`]);
    expect(importsOfBundle(path).filter((from) => !from.startsWith('node:'))).toEqual([]);
    expect(importsOfBundle('dist/esm/index.js')).toEqual(expect.arrayContaining(['./core.js', '@nestjs/core']));
  });
});

describe('lock files', () => {
  it('name no registry', () => {
    const locks = listFiles('.', (name) => name === 'package-lock.json');
    expect(locks).toContain('package-lock.json');
    expect(locks.map(readSource).flatMap(({ text }) => registryLines(text))).toEqual([]);
    expect(registryLines('      "resolved": "https://registry.example/a/-/a-1.0.0.tgz",')).toHaveLength(1);
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importsOf, packageName } from './import-graph.js';
import { readSource, readSources, ROOT } from './source-tree.js';

interface Manifest {
  readonly version?: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (path: string): Manifest => JSON.parse(readSource(path).text) as Manifest;

const root = read('package.json');
const tested: Readonly<Record<string, string>> = { ...root.devDependencies, 'nestjs-mcp': root.version ?? '' };

const names = readdirSync(join(ROOT, 'sample'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Packages that its files import, specs aside, which a copy does not need. */
function importedPackages(sample: string): string[] {
  const files = readSources(`sample/${sample}`).filter(({ path }) => !path.endsWith('.spec.ts'));
  const specifiers = files
    .flatMap(importsOf)
    .flatMap(({ specifier, target }) => (target === undefined ? specifier : []));
  return [...new Set(specifiers.filter((specifier) => !specifier.startsWith('node:')).map(packageName))];
}

/** Imports that lead out of the folder of a sample. */
function leavingImports(sample: string): string[] {
  const files = readSources(`sample/${sample}`).filter(({ path }) => !path.endsWith('.spec.ts'));
  return files
    .flatMap(importsOf)
    .filter(({ target }) => target !== undefined && !target.startsWith(`sample/${sample}/`))
    .map(({ from, specifier }) => `${from} imports ${specifier}`);
}

describe.each(names)('sample %s', (name) => {
  const manifest = read(`sample/${name}/package.json`);

  it('declares the packages that it imports', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining(importedPackages(name)));
    expect(leavingImports(name)).toEqual([]);
  });

  it('asks for the releases that it is tested with', () => {
    const asked = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [dependency, range] of Object.entries(asked)) {
      expect([dependency, range]).toEqual([dependency, `^${tested[dependency]}`]);
    }
  });

  it('compiles and starts as every other sample does', () => {
    expect(manifest.scripts).toEqual({ start: 'tsc && node dist/main.js' });
    expect(readSource(`sample/${name}/tsconfig.json`)).toMatchObject({
      text: readSource(`sample/${names[0]}/tsconfig.json`).text,
    });
  });
});

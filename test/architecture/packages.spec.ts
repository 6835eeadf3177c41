import { describe, expect, it } from '@jest/globals';
import { matchesPackage, misplacedPackages, undeclaredPackages } from './boundary.rules.js';
import { packageName, packagesReachedFrom } from './import-graph.js';
import { OPTIONAL_PACKAGES } from './layers.js';
import { readSource, readSources, source, type SourceFile } from './source-tree.js';

const files = readSources('lib');
const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(readSource('package.json').text);
const declared = new Set(['dependencies', 'peerDependencies'].flatMap((field) => Object.keys(manifest[field] ?? {})));

function optionalReachedFrom(entry: string, read: (path: string) => SourceFile): string[] {
  return [...packagesReachedFrom(entry, read)]
    .filter(([specifier]) => OPTIONAL_PACKAGES.some((pattern) => matchesPackage(pattern, packageName(specifier))))
    .map(([specifier, path]) => `${path} loads ${specifier}`);
}

describe('packages in the library', () => {
  it('appear only in the files named for them', () => {
    expect(files.flatMap(misplacedPackages)).toEqual([]);
  });

  it.each([
    ['lib/exchange/x.ts', 'node:http'],
    ['lib/exchange/x.ts', 'node:https'],
    ['lib/exchange/x.ts', 'node:child_process'],
    ['lib/exchange/x.ts', 'ioredis'],
    ['lib/exchange/x.ts', '@opentelemetry/api'],
    ['lib/transports/http/fastify.platform.ts', 'express'],
    ['lib/transports/http/express.platform.ts', 'fastify'],
    ['lib/registry/x.ts', 'class-validator'],
    ['lib/registry/x.ts', 'class-transformer/storage'],
  ])('are refused elsewhere, as a type too: %s naming %s', (path, specifier) => {
    expect(misplacedPackages(source(path, `import type { X } from '${specifier}';`))).toHaveLength(1);
    expect(misplacedPackages(source(path, `const x = () => import('${specifier}');`))).toHaveLength(1);
  });

  it('are welcome at home', () => {
    expect(misplacedPackages(source('lib/schema/class.adapter.ts', `import 'class-validator';`))).toEqual([]);
    expect(misplacedPackages(source('lib/transports/http/x.ts', `import 'node:http';`))).toEqual([]);
  });

  it('are those that an installation brings', () => {
    expect(files.flatMap((file) => undeclaredPackages(file, declared))).toEqual([]);
    const stray = source(
      'lib/a/x.ts',
      `import '@modelcontextprotocol/core'; import 'node:fs'; import 'rxjs/operators';`,
    );
    expect(undeclaredPackages(stray, declared)).toEqual(['lib/a/x.ts imports @modelcontextprotocol/core']);
  });
});

describe('the built package', () => {
  it.each(['dist/esm/index.js', 'dist/cjs/index.js'])('loads nothing optional from %s', (entry) => {
    expect(optionalReachedFrom(entry, readSource)).toEqual([]);
  });

  it('would be caught loading something optional deep inside', () => {
    const tree = new Map([
      ['dist/esm/index.js', `export { a } from './a/a.js';`],
      ['dist/esm/a/a.js', `import './b.js'; const lazy = () => import('ioredis');`],
      ['dist/esm/a/b.js', `import { validate } from 'class-validator'; import '@opentelemetry/api';`],
    ]);
    const read = (path: string) => source(path, tree.get(path));
    expect(optionalReachedFrom('dist/esm/index.js', read)).toEqual([
      'dist/esm/a/b.js loads class-validator',
      'dist/esm/a/b.js loads @opentelemetry/api',
    ]);
  });
});

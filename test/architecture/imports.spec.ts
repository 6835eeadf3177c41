import { describe, expect, it } from '@jest/globals';
import {
  barrelImports,
  deepFrameworkImports,
  dialectLeaks,
  escapingImports,
  forbiddenImports,
  namedRevisions,
  unlistedFolders,
  unportableSyntax,
  upwardRows,
  wireNumbers,
} from './boundary.rules.js';
import { findCycles, importsOf } from './import-graph.js';
import { LAYERS } from './layers.js';
import { readSources, source } from './source-tree.js';

const files = readSources('lib');
const paths = files.map(({ path }) => path);

describe('the import walker', () => {
  it('sees every way to name another file, and no comment or string', () => {
    const text = [
      `import type { A } from './a.js';`,
      `import { type B, b } from "./b.js";`,
      `export * from './c.js';`,
      `export { d } from './d.js';`,
      `import './e.js';`,
      `const f = () => import('./f.js');`,
      `type G = import('./g.js').G;`,
      `const h = () => require('./h.js');`,
      `import i = require('../i.js');`,
      `const eager = require('./eager.js');`,
      `const j = \`\${await import('./j.js')}\`;`,
      `// import './no.js';`,
      `/* export * from './no.js'; */`,
      `const text = "import './no.js'";`,
    ].join('\n');
    const found = importsOf(source('lib/folder/x.ts', text));
    expect(found.map(({ target }) => target)).toEqual([
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `lib/folder/${name}.ts`),
      'lib/i.ts',
      'lib/folder/eager.ts',
      'lib/folder/j.ts',
    ]);
    expect(found.filter(({ lazy }) => lazy).map(({ specifier }) => specifier)).toEqual(['./f.js', './h.js', './j.js']);
    expect(found.filter(({ typeOnly }) => typeOnly).map(({ specifier }) => specifier)).toEqual(['./a.js', './g.js']);
  });

  it('finds source files to check', () => {
    expect(files.length).toBeGreaterThan(0);
  });
});

describe('the import table', () => {
  it('has a row for every folder and a folder for every row', () => {
    expect(unlistedFolders(paths, LAYERS)).toEqual([]);
  });

  it('notices a missing and a stale row', () => {
    const rows = { model: { ring: 0, mayImport: [] } };
    expect(unlistedFolders(['lib/extra/x.ts', 'lib/index.ts'], rows)).toEqual([
      'extra has no row',
      'model has no folder',
    ]);
  });

  it('lets no folder import a higher ring', () => {
    expect(upwardRows(LAYERS)).toEqual([]);
    expect(upwardRows({ a: { ring: 0, mayImport: ['b'] }, b: { ring: 1, mayImport: ['a'] } })).toEqual([
      'a may not be given b',
    ]);
  });

  it('lists every import of the library', () => {
    expect(files.flatMap(forbiddenImports)).toEqual([]);
  });

  it.each([
    ['lib/model/x.ts', '../errors/mcp.error.js'],
    ['lib/transports/http/x.ts', '../../admission/admission.pipeline.js'],
    ['lib/registry/x.ts', '../mcp.module.js'],
    ['lib/boot-audit/x.ts', '../mcp.server.js'],
    ['lib/testing/x.ts', '../index.js'],
    ['lib/mcp.constants.ts', './model/component.js'],
    ['lib/stray.ts', './model/component.js'],
    ['lib/unknown/x.ts', '../model/component.js'],
  ])('refuses %s importing %s', (path, specifier) => {
    const file = source(path, `import type { X } from '${specifier}';`);
    expect(forbiddenImports(file)).toEqual([`${path} imports ${specifier}`]);
  });

  it.each([
    ['lib/errors/x.ts', '../model/fault.js'],
    ['lib/model/x.ts', './component.js'],
    ['lib/model/x.ts', '../mcp.constants.js'],
    ['lib/dispatch/operations/x.ts', '../dispatcher.js'],
    ['lib/mcp.module.ts', './transports/http/x.js'],
    ['lib/mcp.module.ts', './mcp.providers.js'],
    ['lib/testing/x.ts', '../mcp.server.js'],
  ])('allows %s importing %s', (path, specifier) => {
    expect(forbiddenImports(source(path, `import '${specifier}';`))).toEqual([]);
  });
});

describe('the import graph', () => {
  it('has no cycle, type imports included', () => {
    expect(findCycles(files)).toEqual([]);
  });

  it('shows a cycle as the path that closes it', () => {
    const cycle = findCycles([
      source('lib/a/a.ts', `import type { B } from './b.js';`),
      source('lib/a/b.ts', `import { c } from './c.js';`),
      source('lib/a/c.ts', `type A = import('./a.js').A;`),
    ]);
    expect(cycle).toEqual([['lib/a/a.ts', 'lib/a/b.ts', 'lib/a/c.ts', 'lib/a/a.ts']]);
  });

  it('passes through no index file', () => {
    expect(files.flatMap(barrelImports)).toEqual([]);
    expect(barrelImports(source('lib/a/x.ts', `export { y } from '../b/index.js';`))).toHaveLength(1);
    expect(barrelImports(source('lib/a/x.ts', `export { y } from './uri-index.js';`))).toEqual([]);
  });

  it('stays inside the library', () => {
    expect(files.flatMap(escapingImports)).toEqual([]);
    expect(escapingImports(source('lib/a/x.ts', `import '../../test/support/matrix.js';`))).toHaveLength(1);
  });

  it('keeps revisions inside the dialects folder, and apart', () => {
    expect(files.flatMap(dialectLeaks)).toEqual([]);
    const leaks = (path: string, specifier: string) => dialectLeaks(source(path, `import '${specifier}';`)).length;
    expect(leaks('lib/server/x.ts', '../dialects/v2026-07-28/dialect.js')).toBe(1);
    expect(leaks('lib/mcp.providers.ts', './dialects/v2026-07-28/dialect.js')).toBe(1);
    expect(leaks('lib/dialects/v2026-07-28/x.ts', '../v2025-11-25/dialect.js')).toBe(1);
    expect(leaks('lib/dialects/v2025-11-25/x.ts', '../v2025-06-18/dialect.js')).toBe(1);
    expect(leaks('lib/dialects/v2025-06-18/x.ts', '../v2025-11-25/dialect.js')).toBe(0);
    expect(leaks('lib/dialects/supported-revisions.ts', './v2026-07-28/dialect.js')).toBe(0);
  });

  it('names revisions in the dialects folder alone', () => {
    expect(files.flatMap(namedRevisions)).toEqual([]);
    const text = `const spoken = ['2026-07-28']; // '2026-07-28'\nconst time = '2026-07-28T12:00:00Z';`;
    expect(namedRevisions(source('lib/options/x.ts', text))).toEqual(['lib/options/x.ts names 2026-07-28']);
    expect(namedRevisions(source('lib/dialects/v2026-07-28/x.ts', text))).toEqual([]);
  });

  it('writes error codes in the tables of the dialects and of JSON-RPC alone', () => {
    expect(files.flatMap(wireNumbers)).toEqual([]);
    const text = `const fault = { kind: 'protocol', code: 403 }; const code = -32_601; const far = -40_000; const a = { code };`;
    expect(wireNumbers(source('lib/dispatch/x.ts', text))).toHaveLength(2);
    expect(wireNumbers(source('lib/dialects/v2026-07-28/x.ts', text))).toHaveLength(2);
    expect(wireNumbers(source('lib/dialects/v2026-07-28/error-statuses.ts', text))).toEqual([]);
    expect(wireNumbers(source('lib/wire/json-rpc.ts', text))).toEqual([]);
  });
});

describe('code that must load everywhere', () => {
  it('enters Nest through the package roots', () => {
    expect(files.flatMap(deepFrameworkImports)).toEqual([]);
    const deep = source('lib/a/x.ts', `import { X } from '@nestjs/core/injector/module.js'; import '@nestjs/core';`);
    expect(deepFrameworkImports(deep)).toEqual(['lib/a/x.ts imports @nestjs/core/injector/module.js']);
  });

  it('uses no syntax that the CommonJS copy lacks', () => {
    expect(files.flatMap(unportableSyntax)).toEqual([]);
    const bad = source('lib/a/x.ts', `export const here = import.meta.url;\nawait Promise.resolve();`);
    expect(unportableSyntax(bad)).toHaveLength(2);
    const good = source('lib/a/x.ts', `class A { async b() { await this.c(); } }\nconst d = async () => await e();`);
    expect(unportableSyntax(good)).toEqual([]);
  });
});

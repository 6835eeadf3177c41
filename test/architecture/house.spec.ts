import { describe, expect, it } from '@jest/globals';
import {
  anyAnnotations,
  assignedFunctions,
  BUDGET,
  crowdedFolders,
  deepFolders,
  defaultExports,
  disabledRules,
  emptyNames,
  longFiles,
  longParameterLists,
  needlessFiles,
  oddNames,
  openEnds,
  processAccess,
} from './house.rules.js';
import { listFiles, readSources, source } from './source-tree.js';

const files = readSources('lib');
const paths = files.map(({ path }) => path);
const everyName = ['lib', 'test', 'sample', 'scripts'].flatMap((folder) =>
  listFiles(folder, (name) => /\.[cm]?[jt]s$/.test(name)),
);

describe('budgets', () => {
  it('hold a file to 300 lines', () => {
    expect(files.flatMap(longFiles)).toEqual([]);
    expect(longFiles(source('lib/a.ts', 'x\n'.repeat(BUDGET.linesPerFile)))).toEqual([]);
    expect(longFiles(source('lib/a.ts', 'x\n'.repeat(BUDGET.linesPerFile + 1)))).toEqual(['lib/a.ts has 301 lines']);
  });

  it('hold a folder to 20 files', () => {
    expect(crowdedFolders(paths)).toEqual([]);
    const many = Array.from({ length: BUDGET.filesPerFolder + 1 }, (_, index) => `lib/a/${index}.ts`);
    expect(crowdedFolders([...many.slice(1), 'lib/a/b/x.ts'])).toEqual([]);
    expect(crowdedFolders(many)).toEqual(['lib/a holds 21 files']);
  });

  it('hold a file apart from its only importer beside it to 30 lines at least', () => {
    expect(needlessFiles(files)).toEqual([]);
    const short = 'x\n'.repeat(BUDGET.linesApart - 1);
    const user = source(
      'lib/a/user.ts',
      `import './part.js'; import './x.error.js'; import './y-options.interface.js';`,
    );
    const apart = [source('lib/a/x.error.ts', short), source('lib/a/y-options.interface.ts', short)];
    const part = source('lib/a/part.ts', short);
    expect(needlessFiles([user, part, ...apart])).toEqual(['lib/a/part.ts belongs into lib/a/user.ts']);
    expect(needlessFiles([user, source('lib/a/part.ts', `${short}x\n`), ...apart])).toEqual([]);
    expect(needlessFiles([user, part, source('lib/a/other.ts', `import './part.js';`)])).toEqual([]);
    expect(needlessFiles([part, source('lib/b/user.ts', `import '../a/part.js';`)])).toEqual([]);
  });

  it('hold the tree to two folders below lib', () => {
    expect(deepFolders(paths)).toEqual([]);
    expect(deepFolders(['lib/a/b/c/x.ts', 'lib/a/b/x.ts'])).toEqual(['lib/a/b/c/x.ts']);
  });

  it('hold a function to five parameters, constructors aside', () => {
    expect(files.flatMap(longParameterLists)).toEqual([]);
    const six = 'a: A, b: B, c: C, d: D, e: E, f: F';
    const bad = `const x = (${six}) => 1; function y(${six}) {} class Z { z(${six}) {} }`;
    expect(longParameterLists(source('lib/x.ts', bad))).toHaveLength(3);
    const good = `class Z { constructor(${six}) {} z(a: A, b: B, c: C, d: D, e: E) {} }`;
    expect(longParameterLists(source('lib/x.ts', good))).toEqual([]);
  });
});

describe('names', () => {
  it('end in a meaningful word', () => {
    expect(emptyNames(everyName)).toEqual([]);
    const bad = [
      'lib/a/string-utils.ts',
      'lib/shared/x.ts',
      'lib/a/tool.types.ts',
      'lib/base.ts',
      'test/helper.spec.ts',
    ];
    expect(emptyNames(bad)).toEqual(bad);
    expect(
      emptyNames(['lib/schema/component-schema.ts', 'lib/a/base-path.ts', 'lib/a/database.ts', 'test/types/tool.ts']),
    ).toEqual([]);
  });

  it('are kebab-case with the role as last part', () => {
    expect(oddNames(paths)).toEqual([]);
    const bad = ['lib/a/MyFile.ts', 'lib/a/my_file.ts', 'lib/a/x.tsx'];
    expect(oddNames([...bad, 'lib/a/sse.encoder.ts', 'lib/a/uri-template.ts'])).toEqual(bad);
  });
});

describe('files', () => {
  it('export by name', () => {
    expect(files.flatMap(defaultExports)).toEqual([]);
    for (const bad of [
      'export default 1;',
      'export default class A {}',
      `export { a as default } from './a.js';`,
      'const a = 1; export = a;',
    ]) {
      expect(defaultExports(source('lib/a.ts', bad))).toHaveLength(1);
    }
    expect(defaultExports(source('lib/a.ts', `export { default as a } from './a.js';`))).toEqual([]);
  });

  it('never say any', () => {
    expect(files.flatMap(anyAnnotations)).toEqual([]);
    expect(
      anyAnnotations(source('lib/a.ts', 'const a: any = 1; const b = a as any[]; type C<T = any> = T;')),
    ).toHaveLength(3);
    expect(anyAnnotations(source('lib/a.ts', '/** any */ const any: string = "any";'))).toEqual([]);
  });

  it('give a function a name before a property holds it', () => {
    expect(files.flatMap(assignedFunctions)).toEqual([]);
    for (const bad of [
      'this.a = () => 1;',
      'a.b ??= (function () {});',
      'a["b"] = async (c) => c;',
      'this.#a = () => 1;',
      'this.a = (() => 1) as never;',
      'this.a = ((b) => b) satisfies B;',
    ]) {
      expect(assignedFunctions(source('lib/a.ts', `class A { #a; m(a) { ${bad} } }`))).toHaveLength(1);
    }
    const good = 'const f = () => 1; this.a = f; this.b = { c: () => 1 }; a = () => 1; this.d = a(() => 1);';
    expect(assignedFunctions(source('lib/a.ts', `class A { e = () => 1; m(a) { ${good} } }`))).toEqual([]);
  });

  it('switch no rule of the house off', () => {
    expect(files.flatMap(disabledRules)).toEqual([]);
    const bad = [
      '/* eslint-disable */',
      '// oxlint-disable-next-line',
      '// oxlint-disable-next-line import/no-cycle -- reason',
      '/* eslint-disable max-lines */',
      '// eslint-disable-line no-control-regex, no-console',
      '// @ts-nocheck',
      '// @ts-ignore',
    ];
    for (const comment of bad) expect(disabledRules(source('lib/a.ts', comment))).toHaveLength(1);
    expect(disabledRules(source('lib/a.ts', '// oxlint-disable-next-line no-control-regex -- max-lines'))).toEqual([]);
  });

  it('contain no open tasks', () => {
    expect(files.flatMap(openEnds)).toEqual([]);
    expect(openEnds(source('lib/a.ts', '// TODO tidy\n/* FIXME */'))).toHaveLength(2);
    expect(openEnds(source('lib/a.ts', '// a method of todo lists'))).toEqual([]);
  });
});

describe('the process', () => {
  it('belongs to the files that own it', () => {
    expect(files.flatMap(processAccess)).toEqual([]);
  });

  it.each([
    ['process.stdout.write(text);', 'process.stdout'],
    [`process['stdout'].write(text);`, 'process.stdout'],
    ['globalThis.process.exit(1);', 'process.exit'],
    ['const { exit } = process;', 'process.exit'],
    [`import { stdout as out } from 'node:process';`, 'process.stdout'],
    ['console.log(text);', 'console'],
    ['globalThis.console.log(text);', 'console'],
    [`import { log } from 'node:console';`, 'console'],
  ])('is not touched elsewhere by %s', (text, what) => {
    expect(processAccess(source('lib/server/x.ts', text))).toEqual([`lib/server/x.ts uses ${what}`]);
  });

  it('is open to stdio and the command line, console excepted', () => {
    const text = 'process.stdout.write(text); process.exit(0);';
    expect(processAccess(source('lib/transports/stdio/serve-stdio.ts', text))).toEqual([]);
    expect(processAccess(source('lib/cli/main.ts', text))).toEqual([]);
    expect(processAccess(source('lib/transports/stdio/stdio.transport.ts', text))).toHaveLength(1);
    expect(processAccess(source('lib/cli/main.ts', 'console.log(1);'))).toHaveLength(1);
    expect(
      processAccess(source('lib/server/x.ts', '// process.exit\nprocess.env; process.emitWarning(text);')),
    ).toEqual([]);
  });
});

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { runNode } from '../support/doctor.js';
import { ROOT } from '../support/markdown-page.js';

jest.setTimeout(120_000);

const home = `${ROOT}.build/bundles-${process.pid}`;

const REFUSED_MEMBER =
  'Echo.echo: its input schema cannot be used: the member "role" of Secretive carries `@Exclude()`. Remove the member, or declare a class without it.';

const unseen = (type: string, why: string): string =>
  `Echo.echo: its input schema cannot be used: decorators of class-transformer on the class ${type}, such as \`@Exclude()\`, would not be seen: ${why}. Have one copy each of class-validator, class-transformer and nestjs-mcp (\`npm dedupe\`, or an alias of the bundler), all three in the bundle or all three outside.`;

const PLAIN = { label: 'plain', members: ['name'], got: { of: true, args: { name: 'Ada' } } };

const EXPOSED = { label: 'exposed', members: ['street'], got: { of: true, args: { street: 'Main' } } };

const SERVED = [
  PLAIN,
  { label: 'secretive', refused: REFUSED_MEMBER },
  { label: 'nested', members: ['streets'], got: { of: true, args: { streets: [{ street: 'Main' }] } } },
];

/** What becomes of the classes of an app where nothing may be served. */
const unserved = (why: string): readonly object[] => [
  { label: 'plain', refused: unseen('Plain', why) },
  { label: 'secretive', refused: unseen('Secretive', why) },
  { label: 'nested', refused: unseen('Nested', why) },
];

const ALL_INSIDE = [
  { name: 'esbuild', tool: 'esbuild' },
  { name: 'esbuild-main', tool: 'esbuild', options: { mainFields: ['main'] } },
  { name: 'esbuild-es2015', tool: 'esbuild', options: { mainFields: ['es2015', 'main'], minify: true } },
  { name: 'webpack', tool: 'webpack' },
  { name: 'webpack-development', tool: 'webpack', options: { mode: 'development' } },
  { name: 'rollup', tool: 'rollup' },
];

const HIDDEN = 'the bundle of the app holds a copy of class-transformer that nestjs-mcp does not load';
const STRANGE = 'its rules are those of a copy of class-validator that nestjs-mcp does not load';
const OTHERS = [
  { name: 'guest', tool: 'esbuild', entry: 'guest.mjs' },
  { name: 'transformer-inside', tool: 'esbuild', outside: ['nestjs-mcp', 'class-validator'] },
  { name: 'both-inside', tool: 'esbuild', outside: ['nestjs-mcp'] },
  { name: 'validator-hidden', tool: 'esbuild', hidden: 'class-validator' },
  { name: 'storage-hidden', tool: 'esbuild', hidden: 'class-transformer/.*' },
];

/** What an app prints, a line a class. */
async function run(file: string): Promise<readonly unknown[]> {
  const { exitCode, stdout, stderr } = await runNode([file], { cwd: home });
  expect({ exitCode, stderr: stderr.slice(-1_000) }).toEqual({ exitCode: 0, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** A package in a folder of packages, with copies of its own of what it imports. */
function installForeign(folder: string, copies: readonly string[]): void {
  const target = join(folder, 'node_modules/foreign-dtos');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), '{ "name": "foreign-dtos", "type": "module", "exports": "./index.mjs" }');
  cpSync(join(home, 'foreign-dtos.mjs'), join(target, 'index.mjs'));
  for (const name of copies) {
    cpSync(join(ROOT, 'node_modules', name), join(target, 'node_modules', name), { recursive: true });
  }
}

beforeAll(async () => {
  cpSync(`${ROOT}test/fixtures/bundles`, home, { recursive: true });
  installForeign(home, ['class-transformer']);
  const orders = [...ALL_INSIDE, ...OTHERS].map((order) => ({ entry: 'main.mjs', ...order }));
  const isSlow = ({ tool }: { readonly tool: string }): boolean => tool === 'webpack';
  const parts = [orders.filter(isSlow), orders.filter((order) => !isSlow(order))];
  const build = join(home, 'build.mjs');
  const built = await Promise.all(parts.map((part) => runNode([build, home, JSON.stringify(part)])));
  for (const { exitCode, stderr } of built) if (exitCode !== 0 || stderr !== '') throw new Error(stderr);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a class with decorators of class-transformer', () => {
  it('is read where nothing is bundled', async () => {
    expect(await run('main.mjs')).toEqual(SERVED);
  });

  it.each(ALL_INSIDE)('is read in a bundle of all packages: $name', async ({ name }) => {
    expect(await run(`${name}.cjs`)).toEqual(SERVED);
  });

  it.each([
    ['transformer-inside', HIDDEN],
    ['both-inside', STRANGE],
  ])('is refused in a bundle of some packages: %s', async (name, why) => {
    expect(await run(`${name}.cjs`)).toEqual(unserved(why));
  });

  it('is refused where the bundler omits the storage of its decorators', async () => {
    const why = 'nestjs-mcp cannot read what the decorators of class-transformer store';
    expect(await run('storage-hidden.cjs')).toEqual(unserved(why));
  });

  it('is refused where the bundler omits class-validator for nestjs-mcp alone', async () => {
    const refused = expect.stringContaining(
      "the app uses class-validator, but nestjs-mcp could not load it (Cannot find package 'hidden-class-validator'",
    );
    expect(await run('validator-hidden.cjs')).toEqual(
      ['plain', 'secretive', 'nested'].map((label) => ({ label, refused })),
    );
  });
});

describe('a class of a package with its own copy of class-transformer', () => {
  const refused = REFUSED_MEMBER.replace('Secretive', 'Foreign');

  it('is read where nothing is bundled', async () => {
    expect(await run('guest.mjs')).toEqual([PLAIN, EXPOSED, { label: 'foreign', refused }]);
  });

  it('is read where it has a copy of class-validator as well', async () => {
    const other = join(home, 'other');
    for (const file of ['guest.mjs', 'dtos.mjs', 'serve.mjs']) cpSync(join(home, file), join(other, file));
    installForeign(other, ['class-transformer', 'class-validator']);
    expect(await run('other/guest.mjs')).toEqual([PLAIN, EXPOSED, { label: 'foreign', refused }]);
  });

  it('is refused in a bundle, unless a decorator of the right copy is on it', async () => {
    expect(await run('guest.cjs')).toEqual([
      { label: 'plain', refused: unseen('Plain', HIDDEN) },
      EXPOSED,
      { label: 'foreign', refused: unseen('Foreign', HIDDEN) },
    ]);
  });
});

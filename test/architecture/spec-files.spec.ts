import { execFileSync } from 'node:child_process';
import { dirname, join, posix, relative, sep } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { misnamedSpecs, shutTests, unlistedSpecs } from './specs.rules.js';
import { listFiles, readSource, ROOT, source } from './source-tree.js';

/** The consumer apps are run by their own Jest, as their users would. */
const specs = listFiles('.', (name) => name.endsWith('.spec.ts')).filter((path) => !path.startsWith('test/consumers/'));
const CONFIGS = ['jest.quick.config.js', 'jest.slow.config.js', 'test/nest-11/jest.config.js'];

function listedBy(config: string): string[] {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const output = execFileSync(process.execPath, [jest, '--config', join(ROOT, config), '--listTests', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const paths: string[] = JSON.parse(output);
  return paths.map((path) => relative(ROOT, path).split(sep).join('/'));
}

/** A batch stands for the specs that it imports. */
function specsIn(path: string): string[] {
  if (!path.startsWith('.batches/')) return [path];
  const imported = [...readSource(path).text.matchAll(/^import '(.+)\.js';$/gm)].map(([, spec]) => `${spec}.ts`);
  return imported.map((spec) => posix.join(dirname(path), spec));
}

describe('spec files', () => {
  const [quick = [], slow = [], nest11 = []] = CONFIGS.map((config) => listedBy(config).flatMap(specsIn));

  it('are each run by `npm test`, by `npm run test:slow` or on Nest 11 alone', () => {
    expect(specs.length).toBeGreaterThan(0);
    expect(unlistedSpecs(specs, new Set([...quick, ...slow]))).toEqual(['test/nest-11/copies.spec.ts']);
    expect(quick.length + slow.length + 1).toBe(specs.length);
    expect(nest11).toContain('test/nest-11/copies.spec.ts');
    expect(unlistedSpecs(['lib/a.spec.ts'], new Set([...quick, ...slow]))).toEqual(['lib/a.spec.ts']);
  });

  it('are all run on Nest 11 where they are end to end', () => {
    const endToEnd = specs.filter((path) => path.startsWith('test/e2e/'));
    expect(endToEnd.length).toBeGreaterThan(0);
    expect(unlistedSpecs(endToEnd, new Set(nest11))).toEqual([]);
  });

  it('live under test or sample', () => {
    expect(specs.filter((path) => !/^(test|sample)\//.test(path))).toEqual([]);
  });

  it('are called *.spec.ts', () => {
    const sources = ['lib', 'test', 'sample'].flatMap((folder) => listFiles(folder, () => true));
    expect(misnamedSpecs(sources.filter((path) => !path.startsWith('test/consumers/')))).toEqual([]);
    const bad = ['test/a.test.ts', 'test/a.e2e-spec.ts', 'test/a.spec.js', 'test/a.spec.mts'];
    expect(misnamedSpecs([...bad, 'test/a.spec.ts'])).toEqual(bad);
  });

  it('count in full: nothing is skipped, singled out or retried', () => {
    expect(specs.map(readSource).flatMap(shutTests)).toEqual([]);
  });

  it.each([
    `it.skip('x', () => {});`,
    `describe.only('x', () => {});`,
    `test.todo('x');`,
    `it.failing('x', () => {});`,
    `it.skip.each([1])('x', () => {});`,
    `describe['only']('x', () => {});`,
    `xit('x', () => {});`,
    `fdescribe('x', () => {});`,
    `xit.each([1])('x', () => {});`,
    `jest.retryTimes(3);`,
  ])('would be caught with %s', (text) => {
    expect(shutTests(source('test/a.spec.ts', text))).toHaveLength(1);
  });

  it('may speak of these words', () => {
    const text = `// it.skip\nconst text = "xit('x')"; list.skip(1); it('skips', () => { fit(shoe.only); });`;
    expect(shutTests(source('test/a.spec.ts', text.replace('fit(shoe.only)', 'shoe.only()')))).toEqual([]);
  });
});

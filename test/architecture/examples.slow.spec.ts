import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MarkdownPage, ROOT, type FencedBlock } from '../support/markdown-page.js';
import { listFiles } from './source-tree.js';

const RUN_MS = 120_000;
const LANGUAGES = ['ts', 'sh', 'json', 'text', 'mermaid'];

const folder = `${ROOT}.build/examples-${process.pid}`;
const pages = ['README.md', 'CONTRIBUTING.md', ...listFiles('docs', (name) => name.endsWith('.md'))].map((path) =>
  MarkdownPage.read(path),
);

/** A block may name its file in its first line, so that other blocks of the page can import it. */
function fileNameOf({ code, line }: FencedBlock): string {
  return /^\/\/ ([a-z0-9.-]+\.ts)\n/.exec(code)?.[1] ?? `line-${line}.ts`;
}

interface Example {
  readonly page: string;
  readonly file: string;
  readonly code: string;
}

const examples: readonly Example[] = pages.flatMap((page) => {
  const home = page.path.replaceAll('/', '-').replace(/\.md$/, '').toLowerCase();
  const blocks = page.blocks.filter(({ language }) => language === 'ts');
  return blocks.map((block) => ({ page: page.path, file: `${home}/${fileNameOf(block)}`, code: block.code }));
});

/** Programs listen or connect as soon as they are imported, and tests need their runner. */
const isProgram = ({ code, file }: Example): boolean =>
  /^(?:const|let) .* await |^await /m.test(code) || /\.(?:spec|test)\.ts$/.test(file);

/** Starts the modules of each file, or else one made of its providers, and prints the file. */
const BOOT = `
import { NestFactory } from '@nestjs/core';
import { McpModule } from 'nestjs-mcp';
for (const file of process.argv.slice(1)) {
  const exported = Object.entries(await import(file));
  const modules = exported.filter(([name]) => name.endsWith('Module')).map(([, value]) => value);
  const providers = exported.map(([, value]) => value).filter((value) => Reflect.hasMetadata('__injectable__', value));
  const imports = [McpModule.forRoot({ name: 'example', version: '1.0.0' })];
  if (modules.length === 0 && providers.length > 0) modules.push({ module: class {}, imports, providers });
  if (modules.length === 0) throw new Error(file + ' exports nothing to start');
  for (const module of modules) {
    const app = await NestFactory.create(module, { logger: ['error'], abortOnError: false });
    await app.init();
    await app.close();
  }
  console.log(file);
}`;

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const { file, code } of examples) {
    mkdirSync(`${folder}/${file}`.replace(/\/[^/]*$/, ''), { recursive: true });
    writeFileSync(`${folder}/${file}`, code);
  }
  const compilerOptions = { rootDir: '.', outDir: './out' };
  const settings = { extends: '../../tsconfig.sample.json', compilerOptions, include: ['*/*.ts'] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(settings));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('examples of the documentation', () => {
  it('are there', () => {
    expect(new Set(examples.map(({ page }) => page))).toEqual(
      new Set([
        'README.md',
        'docs/getting-started.md',
        'docs/components.md',
        'docs/http.md',
        'docs/interactive.md',
        'docs/limits.md',
        'docs/listener.md',
        'docs/nest.md',
        'docs/migrating-from-mcp-nest.md',
        'docs/observability.md',
        'docs/other-hosts.md',
        'docs/stdio.md',
        'docs/streaming.md',
        'docs/testing.md',
      ]),
    );
  });

  it('say what language they are in', () => {
    const strange = pages.flatMap(({ path, blocks }) =>
      blocks.filter(({ language }) => !LANGUAGES.includes(language)).map(({ line }) => `${path}:${line}`),
    );
    expect(strange).toEqual([]);
  });

  it('have a file each', () => {
    const files = examples.map(({ file }) => file);
    expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
  });

  it('are JSON where they say so', () => {
    const blocks = pages.flatMap((page) => page.blocks.filter(({ language }) => language === 'json'));
    for (const { code } of blocks) expect(() => JSON.parse(code) as unknown).not.toThrow();
  });

  it(
    'compile, and their modules start',
    async () => {
      const tsc = `${ROOT}node_modules/typescript/bin/tsc`;
      const compiled = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
        ({ stdout }: { stdout?: string }) => ({ stdout }),
      );
      expect(compiled.stdout).toBe('');
      const files = examples.filter((example) => !isProgram(example)).map(({ file }) => file.replace(/\.ts$/, '.js'));
      const paths = files.map((file) => `${folder}/out/${file}`);
      const booted = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', BOOT, ...paths], {
        cwd: ROOT,
      });
      expect(booted.stdout.trim().split('\n')).toEqual(paths);

      const tests = examples
        .filter(({ file }) => file.endsWith('.test.ts'))
        .map(({ file }) => file.replace(/\.ts$/, '.js'));
      const options = ['--test', '--test-reporter=tap', ...tests.map((file) => `${folder}/out/${file}`)];
      const tested = await promisify(execFile)(process.execPath, options, { cwd: ROOT });
      expect(tested.stdout).toMatch(/\n# fail 0\n/);
    },
    RUN_MS,
  );
});

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { describe, afterAll, beforeAll, expect, it } from '@jest/globals';

import { LoadedExports } from '../../../../lib/schema/class/loaded-exports.js';
import { ROOT } from '../../../support/markdown-page.js';

const home = `${ROOT}.build/loaded-exports-${process.pid}`;
const require = createRequire(`${home}/index.js`);

function load(folder: string, code: string): unknown {
  mkdirSync(join(home, folder), { recursive: true });
  const file = join(home, folder, 'kept.cjs');
  writeFileSync(file, code);
  return require(file) as unknown;
}

describe('exports of loaded modules', () => {
  beforeAll(() => void mkdirSync(home, { recursive: true }));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('finds an export in every copy of a file that was loaded, now and later', () => {
    const isText = (value: unknown): value is string => typeof value === 'string';
    const kept = new LoadedExports(/[\\/]kept\.cjs$/, 'kept', isText);
    expect(kept.list()).toEqual([]);
    load('one', `exports.kept = 'one';`);
    expect(kept.list()).toEqual(['one']);
    expect(kept.list()).toBe(kept.list());
    load('two', `exports.kept = 'two';`);
    load('unwanted', `exports.kept = 3;`);
    load('function', `module.exports = () => 'four';`);
    load('getter', `Object.defineProperty(exports, 'kept', { get() { throw new Error('a getter was called'); } });`);
    expect(kept.list()).toEqual(['one', 'two']);
  });
});

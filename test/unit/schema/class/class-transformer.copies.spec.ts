import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Exclude, Expose } from 'class-transformer';

import { ConversionCopies } from '../../../../lib/schema/class/class-transformer.copies.js';
import { ROOT } from '../../../support/markdown-page.js';

const home = `${ROOT}.build/transformer-copies-${process.pid}`;

describe('copies of class-transformer', () => {
  beforeAll(() => {
    mkdirSync(home, { recursive: true });
    cpSync(`${ROOT}node_modules/class-transformer`, `${home}/node_modules/class-transformer`, { recursive: true });
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  describe('the copies of class-transformer', () => {
    it('are all read, those too that are loaded later', async () => {
      class Own {}
      class Foreign {}
      const copies = await ConversionCopies.find();
      Exclude()(Own.prototype, 'role');
      expect(copies.doubt).toBeUndefined();
      expect(copies.list().map(({ excludes }) => excludes.has(Own))).toEqual([true]);
      const other = createRequire(`${home}/index.js`)('class-transformer') as { readonly Exclude: typeof Exclude };
      other.Exclude()(Foreign.prototype, 'role');
      expect(copies.list().map(({ excludes }) => [excludes.has(Own), excludes.has(Foreign)])).toEqual([
        [true, false],
        [false, true],
      ]);
    });

    it('report whether one of them has decorated a class', async () => {
      class Bare {}
      class Whole {}
      Expose()(Whole);
      const copies = await ConversionCopies.find();
      expect([Bare, Whole].map((type) => copies.hasDecorated(type))).toEqual([false, true]);
    });
  });
});

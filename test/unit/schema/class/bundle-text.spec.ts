import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { countBundledCopies, noteCallers } from '../../../../lib/schema/class/bundle-text.js';
import { ROOT } from '../../../support/markdown-page.js';

const home = `${ROOT}.build/bundle-text-${process.pid}`;
const require = createRequire(`${home}/index.js`);

interface Bundle {
  readonly storages: readonly unknown[];
  run(call: () => void): void;
}

/** A file that calls what it is given, as a bundle calls the module within it. */
function bundle(name: string, ...copies: readonly string[]): Bundle {
  const file = join(home, `${name}.cjs`);
  writeFileSync(file, `exports.storages = [${copies.join(', ')}];\nexports.run = (call) => call();\n`);
  return require(file) as Bundle;
}

describe('copies in the text of a bundle', () => {
  beforeAll(() => void mkdirSync(home, { recursive: true }));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  // This file calls the module as well, so it must not hold the line that is looked for.
  const MAP = 'new Map';
  const ES5 = `function () { this._typeMetadatas = new Map(); this._excludeMetadatas = ${MAP}(); }`;
  const PURE = `class { constructor() { this._excludeMetadatas = /* @__PURE__ */ ${MAP}(); } }`;
  const MINIFIED = `class{constructor(){this._typeMetadatas=${MAP},this._excludeMetadatas=${MAP}}}`;

  describe('the text of a bundle', () => {
    it('is read after the bundle has called the module, and identifies its storages', () => {
      const own = bundle('own', ES5, PURE, MINIFIED);
      const other = bundle('other', ES5.replace('{', '{ /* other */'));
      expect(countBundledCopies().total).toBe(0);
      own.run(noteCallers);
      const copies = countBundledCopies();
      expect(copies.total).toBe(3);
      expect(copies.countOf(own.storages)).toBe(3);
      expect(copies.countOf([...own.storages.slice(1), ...other.storages])).toBe(2);
    });

    it('is understood where each module is a string that is evaluated', () => {
      const before = countBundledCopies().total;
      const code = `class {\n  constructor() { this._excludeMetadatas = ${MAP}(); this.name = "quoted"; }\n}`;
      const own = bundle('evaluated', `(0, eval)(${JSON.stringify(`(${code})`)})`);
      own.run(noteCallers);
      const copies = countBundledCopies();
      expect(copies.total).toBe(before + 1);
      expect(copies.countOf(own.storages)).toBe(1);
    });

    it('is not known where stacks are not given, and the stacks of the app stay as they were', () => {
      const { stackTraceLimit } = Error;
      const prepare: unknown = Reflect.get(Error, 'prepareStackTrace');
      bundle('unnoted', ES5).run(() => {
        Error.stackTraceLimit = 0;
        noteCallers();
        expect(Error.stackTraceLimit).toBe(0);
        Error.stackTraceLimit = stackTraceLimit;
      });
      expect(Reflect.get(Error, 'prepareStackTrace')).toBe(prepare);
      expect(countBundledCopies().total).toBe(5);
    });
  });
});

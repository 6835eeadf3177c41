import { expect, it } from '@jest/globals';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { isUrl } from '../../../../lib/schema/json-schema/json-schema.keywords.js';
import { cpuCostOf } from '../../../support/cpu-cost.js';

const ajv = new Ajv2020();
formats.default(ajv);
const original = ajv.compile({ type: 'string', format: 'url' });

it('judges as the format of ajv-formats does', () => {
  const piece = fc.constantFrom(
    ...['@', '/', ':', '.', '-', 'a', 'bc', 'xn--a', '1', '10', '127.0.0.1', '8.8.8.8', '172.16.0.1', ':80', ':123456'],
    ...[' ', '\u3000', '\n', 'é', '?q=1', '#', '%', 'a.co', 'a@b.co', 'a.co/', 'https://', '\ud83d\ude00'],
  );
  const text = fc
    .tuple(fc.constantFrom('http://', 'https://', 'HTTP://', 'ftp://', 'http:/', ''), fc.array(piece, { maxLength: 7 }))
    .map(([scheme, pieces]) => scheme + pieces.join(''));
  let valid = 0;
  fc.assert(
    fc.property(text, (url) => {
      const verdict = isUrl(url);
      if (verdict) valid += 1;
      return verdict === original(url);
    }),
    { seed: 7, numRuns: 20_000 },
  );
  expect(valid).toBeGreaterThan(500);
});

it.each([':', '@', '/', '.', '-', 'a', 'a.', 'a@', '@a.co/', 'a.co/@ ', ' ', 'a-', '1.', '\u3000', '@@/'])(
  'takes linear time for %j again and again',
  (unit) => {
    const costOf = (length: number): number => {
      const texts = ['', '!', '\n'].map((end) => `http://${unit.repeat(length / unit.length)}${end}`);
      return cpuCostOf(() => texts.forEach((text) => void isUrl(text)));
    };
    // 16 times the length: 16 times the cost when linear, 256 times when quadratic.
    expect(costOf(320_000)).toBeLessThan(Math.max(costOf(20_000), 500) * 80);
  },
);

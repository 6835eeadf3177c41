import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { hasSuspectNumber } from '../../../lib/wire/json.decoder.js';

/** What is meant, spelt out. */
const SUSPECT = /\d{16}|\d[eE]\+?\d{3}/;

const says = (text: string): boolean => hasSuspectNumber(Buffer.from(text, 'latin1'));

const characters = fc.constantFrom(...Array.from('0123456789eE+-. ,"a'));

describe('hasSuspectNumber', () => {
  it.each([
    ['', false],
    ['123456789012345', false],
    ['1234567890123456', true],
    ['[1,1234567890123456]', true],
    ['1e99', false],
    ['1e100', true],
    ['1E+100', true],
    ['1e-100', false],
    ['e100', false],
    ['{"a":1.5e308}', true],
    ['"2026-07-28"', false],
  ])('says of %j that it is %s', (text, expected) => {
    expect(says(text)).toBe(expected);
  });

  it('finds what a search of every character finds, wherever it stands', () => {
    const text = fc.string({ unit: characters, maxLength: 60 });
    const property = fc.property(text, (value) => {
      expect(says(value)).toBe(SUSPECT.test(value));
    });
    fc.assert(property, { numRuns: 5_000 });
  });

  it('finds long numbers at any offset', () => {
    for (let offset = 0; offset < 40; offset += 1) {
      const before = 'x'.repeat(offset);
      expect(says(`${before}${'7'.repeat(16)} `)).toBe(true);
      expect(says(`${before}${'7'.repeat(15)} `)).toBe(false);
      expect(says(`${before}1e123 `)).toBe(true);
    }
  });
});

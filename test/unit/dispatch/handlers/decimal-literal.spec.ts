import { expect, it } from '@jest/globals';

import { isSameNumber } from '../../../../lib/dispatch/handlers/parameter-headers.check.js';

it.each([
  ['42', '42'],
  ['42.0', '42'],
  ['42', '42.000'],
  ['4.2e1', '42'],
  ['420E-1', '42'],
  ['0', '-0'],
  ['0.0e5', '0'],
  ['-7', '-7.0'],
  ['1e+21', '1000000000000000000000'],
  ['9007199254740993', '9007199254740993.0'],
])('%s and %s are the same number', (one, other) => {
  expect(isSameNumber(one, other)).toBe(true);
  expect(isSameNumber(other, one)).toBe(true);
});

it.each([
  ['42', '43'],
  ['42', '-42'],
  ['42', '420'],
  ['9007199254740993', '9007199254740992'],
  ['0.1', '0.10000000000000001'],
])('%s and %s are different numbers', (one, other) => {
  expect(isSameNumber(one, other)).toBe(false);
  expect(isSameNumber(other, one)).toBe(false);
});

it.each([
  '',
  ' 42',
  '42 ',
  '+42',
  '042',
  '42abc',
  '0x2A',
  '42.',
  '.5',
  'Infinity',
  'NaN',
  '4_2',
  '１',
  '42\n',
  '1e9999999',
])('%j is not a number and does not equal itself', (text) => {
  expect(isSameNumber(text, text)).toBe(false);
  expect(isSameNumber(text, '42')).toBe(false);
});

it('treats numbers that are too long for a body as different', () => {
  const long = '1'.repeat(81);
  expect(isSameNumber(long, long)).toBe(false);
});

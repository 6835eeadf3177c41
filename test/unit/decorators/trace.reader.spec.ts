import { describe, expect, it } from '@jest/globals';

import { readTrace } from '../../../lib/decorators/trace.reader.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

describe('traceparent', () => {
  it.each([
    [traceparent, true],
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-03`, true],
    [`cc-${traceId}-${spanId}-02-what-later-versions-say`, false],
    [`cc-${traceId}-${spanId}-01`, true],
  ])('is read from %s', (value, sampled) => {
    expect(readTrace({ traceparent: value })).toEqual({ traceparent: value, traceId, spanId, sampled });
  });

  it.each([
    '',
    'nonsense',
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `cc-${traceId}-${spanId}-01.more`,
    `00-${traceId}-${spanId}-1`,
    ` ${traceparent}`,
    `${traceparent}\n`,
    5,
    null,
    [traceparent],
    `cc-${traceId}-${spanId}-01-${'x'.repeat(8192)}`,
  ])('is ignored together with tracestate when it is %j', (value) => {
    expect(readTrace({ traceparent: value, tracestate: 'a=1' })).toEqual({});
  });
});

describe('tracestate', () => {
  it.each([
    'rojo=00f067aa0ba902b7',
    'rojo=1,congo=t61rcWkgMzE',
    'rojo=1 ,\tcongo=2,,',
    'fw529a3039@dt=FfAAAAABf-A',
    '0a=b c',
    Array.from({ length: 32 }, (_, index) => `k${index}=v`).join(','),
    `a=${'x'.repeat(256)}`,
  ])('is accepted when it is %j', (tracestate) => {
    expect(readTrace({ traceparent, tracestate })).toHaveProperty('tracestate', tracestate);
  });

  it.each([
    '',
    ' , ',
    'rojo',
    '=1',
    'rojo=',
    'Rojo=1',
    'rojo=1,rojo=2',
    'rojo=a=b',
    'rojo=ü',
    'rojo=1\u00a0',
    'a@b@c=1',
    'rojo=1\n',
    Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(','),
    `a=${'x'.repeat(257)}`,
    `a=1${' '.repeat(8192)}`,
    7,
  ])('is ignored when it is %j', (tracestate) => {
    const trace = readTrace({ traceparent, tracestate });
    expect(trace).not.toHaveProperty('tracestate');
    expect(trace).toHaveProperty('traceparent', traceparent);
  });

  it('is ignored without traceparent', () => {
    expect(readTrace({ tracestate: 'a=1' })).toEqual({});
  });
});

describe('baggage', () => {
  it.each(['userId=alice', 'a=', 'a = b , c=d;p1;p2=x', 'k=%20%C3%A9', `a=${'x'.repeat(8190)}`])(
    'is accepted when it is %j',
    (baggage) => {
      expect(readTrace({ baggage })).toEqual({ baggage });
    },
  );

  it.each([
    '',
    'a',
    '=b',
    'a=b,',
    'a b=c',
    'a="b"',
    'a=b c',
    'a=b;',
    'a=b;c d',
    'a=é',
    'a=b\n',
    `a=${'x'.repeat(8191)}`,
    {},
  ])('is ignored when it is %j', (baggage) => {
    expect(readTrace({ baggage, traceparent })).not.toHaveProperty('baggage');
  });
});

it('returns the same frozen object when there is no trace', () => {
  expect(readTrace({})).toEqual({});
  expect(readTrace({})).toBe(readTrace({ other: 1 }));
  for (const meta of [{}, { traceparent }, { traceparent: 5 }]) expect(Object.isFrozen(readTrace(meta))).toBe(true);
});

it('reads values that are made to be slow in less than a second', () => {
  const blanks = ' '.repeat(8_000);
  const started = performance.now();
  readTrace({ traceparent, tracestate: `a=1${blanks}x,${blanks}`, baggage: `a=b;${blanks}x${blanks};c` });
  readTrace({ traceparent: `cc-${traceId}-${spanId}-01-${'-'.repeat(1_000_000)}`, tracestate: ','.repeat(1_000_000) });
  expect(performance.now() - started).toBeLessThan(1_000);
});

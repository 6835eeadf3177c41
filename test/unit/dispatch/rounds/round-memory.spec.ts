import { describe, expect, it } from '@jest/globals';

import { readMemory, writeMemory, type RoundMemory } from '../../../../lib/dispatch/rounds/state.keeper.js';

const EMPTY: RoundMemory = { answers: new Map(), values: new Map(), asked: [], state: undefined };

describe('the memory of a call', () => {
  it.each<[string, RoundMemory]>([
    ['an empty memory', EMPTY],
    [
      'answers with any names',
      {
        ...EMPTY,
        answers: new Map<string, unknown>([
          ['__proto__', { action: 'accept' }],
          ['a', null],
        ]),
      },
    ],
    [
      'values, also undefined',
      {
        ...EMPTY,
        values: new Map([
          ['a', '{"b":1}'],
          ['c', undefined],
        ]),
      },
    ],
    ['input requests and a state', { ...EMPTY, asked: ['a', 'b'], state: { step: 1 } }],
    ['a state of null', { ...EMPTY, state: null }],
  ])('is read as it was written: %s', (_what, memory) => {
    expect(readMemory(writeMemory(memory))).toEqual(memory);
  });

  it('is encoded in the shortest form', () => {
    expect(writeMemory(EMPTY)).toBe('{}');
  });

  it.each([
    '',
    'null',
    '[]',
    '1',
    '{"a":1}',
    '{"a":[["k"],1]}',
    '{"o":[[1,"2"]]}',
    '{"o":[["k",2]]}',
    '{"q":"a"}',
    '{"q":[1]}',
  ])('is undefined when the text is invalid: %s', (text) => {
    expect(readMemory(text)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';

import { judgePatterns } from '../../../lib/cli/pattern.judge.js';

const judge = async (pattern: string): Promise<readonly string[]> => {
  const findings = await judgePatterns([{ owner: 'Orders.find', place: 'code', pattern }]);
  return findings.map(({ text }) => text);
};

describe('a pattern', () => {
  it.each([
    ['a repetition in a repetition', '^(a+)+$'],
    ['two repetitions of the same characters', '^(.*)x.*y$'],
    ['a start at any position', String.raw`\s+$`],
    ['syntax that the flag u refuses', String.raw`^(\-+)+$`],
  ])('is reported for %s', async (_name, pattern) => {
    expect(await judge(pattern)).toEqual([
      expect.stringContaining(`Orders.find: the pattern ${pattern} of "code" may take`),
    ]);
  });

  it.each(['', '^[A-Z]{2}-[0-9]+$', '^[a-z]+(-[a-z]+)*$', String.raw`^(?=.*[A-Z])(?=.*\d).{8,}$`])(
    'passes when it matches each text in few ways: %s',
    async (pattern) => {
      expect(await judge(pattern)).toEqual([]);
    },
  );

  it.each(['^(?i:a)$', '('])('passes when the analysis cannot parse it: %s', async (pattern) => {
    expect(await judge(pattern)).toEqual([]);
  });

  it('is cut in the report when it is long', async () => {
    expect(await judge(`^(a+)+${'b'.repeat(100)}$`)).toEqual([expect.stringContaining(`^(a+)+${'b'.repeat(74)}… of`)]);
  });
});

import { describe, expect, it } from '@jest/globals';

import { countHeader } from '../../../lib/wire/headers.js';

describe('countHeader', () => {
  it.each<readonly [readonly string[], number]>([
    [[], 0],
    [['Host', 'a'], 1],
    [['host', 'a', 'HOST', 'b', 'x', 'host'], 2],
    [['hosts', 'a', 'x-host', 'b', 'hos', 'c'], 0],
  ])('counts the names of %j, not the values', (rawHeaders, count) => {
    expect(countHeader(rawHeaders, 'host')).toBe(count);
  });
});

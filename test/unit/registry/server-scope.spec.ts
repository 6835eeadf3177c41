import { describe, expect, it } from '@jest/globals';

import { serversOf } from '../../../lib/registry/server-scope.js';

class One {}
class Two {}

const SCOPES = [
  { server: 'default', include: [] },
  { server: 'one', include: [One] },
  { server: 'both', include: [One, Two] },
];

describe('the servers of a component', () => {
  it.each([
    ['its own word first', { declared: 'a', feature: 'b', module: One }, ['a']],
    ['its own words', { declared: ['a', 'b'], module: One }, ['a', 'b']],
    ['then its feature', { feature: 'b', module: One }, ['b']],
    ['then whoever includes its module', { module: One }, ['one', 'both']],
    ['then one of several', { module: Two }, ['both']],
    ['else the default one', { module: Object }, ['default']],
  ])('are %s', (_what, origin, expected) => {
    expect(serversOf(origin, SCOPES)).toEqual(expected);
  });
});

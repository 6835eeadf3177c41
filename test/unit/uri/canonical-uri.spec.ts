import { describe, expect, it } from '@jest/globals';

import { canonicalUri } from '../../../lib/uri/canonical-uri.js';

describe('canonicalUri', () => {
  it.each([
    ['demo://café', 'demo://caf%C3%A9'],
    ['demo://caf%c3%a9', 'demo://caf%C3%A9'],
    ['demo://caf%C3%A9', 'demo://caf%C3%A9'],
    ['demo://a/b?c=d', 'demo://a/b?c=d'],
    ['demo://%zz', 'demo://%zz'],
    ['demo://%2f', 'demo://%2F'],
  ])('spells %s as %s', (uri, canonical) => {
    expect(canonicalUri(uri)).toBe(canonical);
  });

  it('has no spelling for a lone surrogate', () => {
    expect(canonicalUri('demo://\ud800')).toBeUndefined();
  });
});

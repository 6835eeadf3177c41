import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { isAbsoluteUri, isUriText, canonicalUri } from '../../../lib/uri/canonical-uri.js';
import { UriTemplate } from '../../../lib/uri/uri-template.js';

const FORBIDDEN = [
  ...[' ', '\t', '\n', '\r\n', '\0', '\u007f', '\u0085', '\u00a0', '\u2028', '\u3000', '\ufeff', '\ud800', '\udc00'],
  ...['"', '<', '>', '\\', '^', '`', '{', '|', '}', '%', '%4', '%zz', '%%41', '%u0041', '%c3%'],
];
const ALLOWED = ["-._~:/?#[]@!$&'()*+,;=", '%41', '%c3%A9', 'é', '日本', '😀'];

describe('what a URI can hold', () => {
  it.each(ALLOWED)('is %s', (text) => {
    expect([isUriText(text), isAbsoluteUri(`a:x${text}`), isAbsoluteUri(`a:${text}x`)]).toEqual([true, true, true]);
  });

  it.each(FORBIDDEN)('is not %j', (text) => {
    expect([isUriText(text), isAbsoluteUri(`a:x${text}`), isAbsoluteUri(`a:${text}x`)]).toEqual([false, false, false]);
  });

  it.each(['', 'a', ':b', '1a:b', 'a:', 'a/b', 'é:b', '//a/b'])('is not absolute as %j', (text) => {
    expect(isAbsoluteUri(text)).toBe(false);
  });

  it.each(FORBIDDEN)('is needed by every template: %j', (text) => {
    for (const [source, uri] of [
      ['a://x/{v}', `a://x/1${text}`],
      ['a://x/{+v}', `a://x/1/${text}/2`],
      ['a://x{/v*}', `a://x/1/${text}z`],
      ['a://{v}/x', `a://1${text}/x`],
      ['a://x{?v}', `a://x?v=${text}`],
    ] as const) {
      expect(UriTemplate.parse(source).match(uri)).toEqual({ kind: 'none' });
    }
  });
});

describe('equal URIs', () => {
  const piece = fc.constantFrom('a', '/', 'é', '%c3%a9', '%C3%A9', '%2f', '%2F', '%61', '?p=', '.', '%2e', '日');
  const templates = ['a://x/{v}', 'a://x/{+v}', 'a://{h}/é{v}', 'a://x{/v*}{?p}', 'a://x/%C3%A9/{v}'].map((source) =>
    UriTemplate.parse(source),
  );
  const respelled = (uri: string): string[] => [
    canonicalUri(uri) ?? uri,
    uri.replace(/%[0-9A-F]{2}/gi, (part) => part.toLowerCase()),
    uri.replace(/[^ -~]+/g, encodeURIComponent),
  ];

  it('match alike in every spelling, and expand to one spelling', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const uri = `a://x/${pieces.join('')}`;
        for (const template of templates) {
          const match = template.match(uri);
          for (const other of respelled(uri)) expect(template.match(other)).toEqual(match);
          if (match.kind !== 'match') continue;
          const spelling = template.expand(match.values);
          for (const other of respelled(uri)) {
            const again = template.match(other);
            expect(again.kind === 'match' && template.expand(again.values)).toBe(spelling);
          }
        }
      }),
      { seed: 14, numRuns: 2_000 },
    );
  });
});

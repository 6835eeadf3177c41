import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { UriTemplate } from '../../../lib/uri/uri-template.js';

function overlapBothWays(one: string, other: string): boolean {
  const [first, second] = [UriTemplate.parse(one), UriTemplate.parse(other)];
  const result = first.overlaps(second);
  expect(second.overlaps(first)).toBe(result);
  return result;
}

describe('templates that some URI matches both', () => {
  it.each<[string, string]>([
    ['a://x/{v}', 'a://x/{w}'],
    ['a://x/{v}', 'A://x/{w}'],
    ['a://x/{v}', 'a://{h}/fixed'],
    ['a://x/{v}/b', 'a://x/a/{w}'],
    ['a://x/{v}', 'a://x/fixed{?q}'],
    ['a://x{?p}', 'a://x{?q}'],
    ['a://x/{+v}', 'a://x/{w}'],
    ['a://x/{+v}', 'a://x/a/b/{w}'],
    ['a://x{/v*}', 'a://x/{+w}'],
    ['a://x/a{/v*}/z', 'a://x/{b}/{+w}/y/{c}'],
    ['a://x/{+v}/z', 'a://x/a/z'],
    ['a://x/report-{v}', 'a://x/{w}.pdf'],
    ['a://x/report-{v}', 'a://x/rep{w}'],
    ['a://x/report-{v}', 'a://x/report-7'],
    ['a://x/caf%C3%A9/{v}', 'a://x/café/{w}'],
    ['a://{v}/{v}', 'a://{w}/{u}'],
  ])('%s and %s', (one, other) => {
    expect(overlapBothWays(one, other)).toBe(true);
    const uri = UriTemplate.parse(one).findCommonUri(UriTemplate.parse(other)) as string;
    expect(UriTemplate.parse(one).matchesExact(uri)).toBe(true);
    expect(UriTemplate.parse(other).matchesExact(uri)).toBe(true);
  });
});

describe('templates that never meet', () => {
  it.each<[string, string]>([
    ['a://x/{v}', 'b://x/{v}'],
    ['a://x/{v}', 'a://y/{v}'],
    ['a://x/{v}', 'a://x/{v}/{w}'],
    ['a://x/{v}/b', 'a://x/{w}/c'],
    ['a:///{v}', 'a://{h}/{v}'],
    ['a://{h}', 'a://{h}/x'],
    ['a://x{?p}', 'a://x/{v}{?p}'],
    ['a://x/{+v}/z', 'a://x/{w}'],
    ['a://x/{+v}/z', 'a://x/{w}/y'],
    ['a://x/a/{+v}', 'a://x/b{/w*}'],
    ['a://x/{+v}/a', 'a://x/{+w}/b'],
    ['a://x/a-{v}', 'a://x/b-{w}'],
    ['a://x/{v}.pdf', 'a://x/{w}.txt'],
    ['a://x/report-{v}', 'a://x/report-'],
    ['a://x/{v}', 'a://x/..'],
    ['a://x/{v}', 'a://x/a%2Fb'],
    ['a://x/a{v}', 'a://x/a%2Fb{w}'],
    ['a://x/{v}1', 'a://x/{w}%41'],
  ])('%s and %s', (one, other) => {
    expect(overlapBothWays(one, other)).toBe(false);
  });
});

describe('overlap of random templates', () => {
  const names = ['p', 'q', 'r', 's'];
  const shape = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', 'a*b');
  const path = fc.array(shape, { maxLength: 2 });
  const open = fc.constantFrom('', '/{+o}', '{/o*}');
  const template = fc
    .tuple(fc.constantFrom('a', 'b', '*'), path, open, path, fc.constantFrom('', '{?k}'))
    .map(([authority, before, middle, after, query]) => {
      let used = 0;
      const fill = (text: string): string => text.replace('*', () => `{${names[used % 4]}${used++}}`);
      const segments = (list: string[]): string => list.map((text) => `/${fill(text)}`).join('');
      return `s://${fill(authority)}${segments(before)}${middle}${segments(after)}${query}`;
    });
  const uri = fc
    .tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', 'abb', 'c', '..', '%2F'), { maxLength: 6 }),
      fc.constantFrom('', '?k=1'),
    )
    .map(([authority, segments, query]) => `s://${[authority, ...segments].join('/')}${query}`);

  it('is reported whenever one URI is matched by both', () => {
    let shared = 0;
    fc.assert(
      fc.property(template, template, fc.array(uri, { minLength: 60, maxLength: 60 }), (one, other, uris) => {
        const [first, second] = [UriTemplate.parse(one), UriTemplate.parse(other)];
        if (!uris.some((item) => first.matchesExact(item) && second.matchesExact(item))) return;
        shared += 1;
        expect(first.overlaps(second)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(shared).toBeGreaterThan(50);
  });

  it('is reported only with a URI that both match', () => {
    let found = 0;
    fc.assert(
      fc.property(template, template, (one, other) => {
        const [first, second] = [UriTemplate.parse(one), UriTemplate.parse(other)];
        const common = first.findCommonUri(second);
        if (common === undefined) return;
        found += 1;
        expect([first.matchesExact(common), second.matchesExact(common)]).toEqual([true, true]);
      }),
      { numRuns: 1_000 },
    );
    expect(found).toBeGreaterThan(50);
  });

  it('is found between a template and itself', () => {
    fc.assert(
      fc.property(template, (text) => {
        expect(UriTemplate.parse(text).overlaps(UriTemplate.parse(text))).toBe(true);
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { UriTemplate } from '../../../lib/uri/uri-template.js';
import { cpuCostOf } from '../../support/cpu-cost.js';

const match = (template: string, uri: string) => UriTemplate.parse(template).match(uri);

describe('what a template matches', () => {
  it.each<[string, string, Record<string, string | string[]>]>([
    ['test://template/{id}/data', 'test://template/7/data', { id: '7' }],
    ['test://template/{id}/data', 'TEST://template/7/data', { id: '7' }],
    ['Test://template/{id}/data', 'test://template/7/data', { id: '7' }],
    ['users://{name}/profile', 'users://ann/profile', { name: 'ann' }],
    ['note://{id}', 'note://7', { id: '7' }],
    ['file:///{path}', 'file:///a.txt', { path: 'a.txt' }],
    ['weather://a.b/{c}', 'weather://a.b/p', { c: 'p' }],
    ['a://x/report-{id}.pdf', 'a://x/report-7.pdf', { id: '7' }],
    ['a://x/report-{id}.pdf', 'a://x/report-report-.pdf.pdf', { id: 'report-.pdf' }],
    ['a://v{n}.local/x', 'a://v2.local/x', { n: '2' }],
    ['a://x{/v}', 'a://x/1', { v: '1' }],
    ['a://x{/v}/end', 'a://x/1/end', { v: '1' }],
    ['a://x{/v*}', 'a://x/1', { v: ['1'] }],
    ['a://x{/v*}', 'a://x/1/2/3', { v: ['1', '2', '3'] }],
    ['a://x/a{/v*}/z', 'a://x/a/1/2/z', { v: ['1', '2'] }],
    ['a://x/a{/v*}/z', 'a://x/a/z/z', { v: ['z'] }],
    ['file:///{+path}', 'file:///etc/hosts', { path: 'etc/hosts' }],
    ['a://x/{a}/{+rest}/{z}', 'a://x/1/2/3/4', { a: '1', rest: '2/3', z: '4' }],
    ['a://x/{v}{?p,q}{&r}', 'a://x/1', { v: '1' }],
    ['a://x/{v}{?p,q}{&r}', 'a://x/1?r=3&p=1', { v: '1', p: '1', r: '3' }],
    ['a://x{?p}', 'a://x?p=', { p: '' }],
    ['a://x{?p}', 'a://x?p=a=b/c?d', { p: 'a=b/c?d' }],
    ['a://x{?p}', 'a://x?p=a+b%20c', { p: 'a+b c' }],
    ['a://{x}/{x}', 'a://same/same', { x: 'same' }],
    ['a://x/{v}{?v}', 'a://x/1?v=1', { v: '1' }],
    ['a://x/{v}', 'a://x/%41+b', { v: 'A+b' }],
    ['a://x/{v}', 'a://x/%2525', { v: '%25' }],
    ['example://item/{id}', 'example://item/%C2%A7%20141.61', { id: '§ 141.61' }],
    ['example://item/{id}', 'example://item/§141.61', { id: '§141.61' }],
    ['demo://café/{v}', 'demo://caf%c3%a9/1', { v: '1' }],
    ['demo://caf%C3%A9/{v}', 'demo://café/1', { v: '1' }],
    ['a://x/é{v}%C3%A9', 'a://x/%c3%A9%c3%a9é', { v: 'é' }],
    ['a://x/{v}', 'a://x/a:b@c', { v: 'a:b@c' }],
    ['a://x/{v}', 'a://x/...', { v: '...' }],
    ['a://{h}/x', 'a://a%3Ab/x', { h: 'a:b' }],
    ['a://x/{constructor}', 'a://x/1', { constructor: '1' }],
  ])('%s takes %s', (template, uri, variables) => {
    expect(match(template, uri)).toEqual({ kind: 'match', values: variables });
    expect(UriTemplate.parse(template).matchesExact(uri)).toBe(true);
  });

  it.each<[string, string, string]>([
    ['another scheme', 'test://template/{id}', 'tost://template/1'],
    ['a scheme with a Kelvin sign', 'kelvin://x/{id}', '\u212aelvin://x/1'],
    ['another case of the authority', 'test://template/{id}', 'test://Template/1'],
    ['another case of the path', 'test://template/a/{id}', 'test://template/A/1'],
    ['a literal dot is no wildcard', 'weather://a.b/{c}', 'weather://aXb/p'],
    ['a port', 'test://{host}/{id}', 'test://h:80/1'],
    ['a port beside a literal', 'test://template/{id}', 'test://template:80/1'],
    ['user information', 'test://{host}/{id}', 'test://u@h/1'],
    ['a fragment', 'test://template/{id}', 'test://template/1#a'],
    ['an empty fragment', 'test://template/{id}', 'test://template/1#'],
    ['a fragment in the query', 'test://template{?p}', 'test://template?p=1#'],
    ['an unknown parameter', 'test://x{?p}', 'test://x?q=1'],
    ['an unknown parameter beside a known one', 'test://x{?p}', 'test://x?p=1&q=1'],
    ['a query where none is declared', 'test://x/{id}', 'test://x/1?q=1'],
    ['a repeated parameter', 'test://x{?p,q}', 'test://x?p=1&p=1'],
    ['a pair without "="', 'test://x{?p}', 'test://x?p'],
    ['an empty query', 'test://x{?p}', 'test://x?'],
    ['an empty query where none is declared', 'test://x/{id}', 'test://x/1?'],
    ['an empty pair', 'test://x{?p,q}', 'test://x?p=1&'],
    ['an escaped parameter name', 'test://x{?p}', 'test://x?%70=1'],
    ['an empty variable', 'test://x/{id}', 'test://x/'],
    ['an empty authority variable', 'test://{id}/x', 'test:///x'],
    ['an authority where it is empty', 'file:///{p}', 'file://host/a'],
    ['an empty segment', 'test://x/{a}/{b}', 'test://x//b'],
    ['an empty segment inside a rest', 'test://x/{+a}', 'test://x/1//2'],
    ['a trailing slash', 'test://x/{id}', 'test://x/1/'],
    ['a trailing slash of a list', 'test://x{/id*}', 'test://x/1/'],
    ['an empty list', 'test://x{/id*}', 'test://x'],
    ['an empty rest', 'test://x/{+id}', 'test://x/'],
    ['a missing segment', 'test://x/{a}/{b}', 'test://x/1'],
    ['a segment too many', 'test://x/{a}', 'test://x/1/2'],
    ['too few segments around a rest', 'a://x/{a}/{+r}/{z}', 'a://x/1/2'],
    ['a broken escape', 'example://item/{id}', 'example://item/%E0%A4%A'],
    ['a lone percent sign', 'example://item/{id}', 'example://item/100%'],
    ['an escape that is not UTF-8', 'example://item/{id}', 'example://item/%E9'],
    ['an overlong escape', 'example://item/{id}', 'example://item/%C0%AF'],
    ['an escaped surrogate', 'example://item/{id}', 'example://item/%ED%A0%80'],
    ['a broken escape in the query', 'example://item{?id}', 'example://item?id=%E9'],
    ['a broken escape in a list', 'example://item{/id*}', 'example://item/a/%E9'],
    ['a lone surrogate', 'example://item/{id}', 'example://item/\ud800'],
    ['a variable that binds twice, differently', 'a://{x}/{x}', 'a://one/two'],
    ['a query that contradicts the path', 'a://x/{v}{?v}', 'a://x/1?v=2'],
    ['prefix and suffix that share a character', 'a://x/ab{v}ba', 'a://x/aba'],
    ['nothing between prefix and suffix', 'a://x/ab{v}ba', 'a://x/abba'],
    ['an empty URI', 'a://x/{v}', ''],
    ['the scheme alone', 'a://x/{v}', 'a://'],
    ['an opaque URI', 'a://x/{v}', 'a:x/1'],
  ])('does not match: %s', (_case, template, uri) => {
    expect(match(template, uri)).toEqual({ kind: 'none' });
    expect(UriTemplate.parse(template).matchesExact(uri)).toBe(false);
  });

  it.each<[string, string]>([
    ['file://docs/{name}', 'file://docs/..%2F..%2Fetc%2Fpasswd'],
    ['file://docs/{name}', 'file://docs/%2e%2e'],
    ['file://docs/{name}', 'file://docs/..'],
    ['file://docs/{name}', 'file://docs/.'],
    ['file://docs/{name}', 'file://docs/.%2E'],
    ['file://docs/{name}', 'file://docs/a%2Fb'],
    ['file://docs/{name}', 'file://docs/a%5Cb'],
    ['file://docs/{name}', 'file://docs/a%00'],
    ['file://docs{/name}', 'file://docs/..'],
    ['file://docs/a{name}', 'file://docs/a..'],
    ['file://{name}/x', 'file://../x'],
    ['file://docs/{name}/{+rest}', 'file://docs/../etc'],
  ])('%s refuses the value in %s', (template, uri) => {
    expect(match(template, uri)).toEqual({ kind: 'refused', variable: 'name' });
    expect(UriTemplate.parse(template).matchesExact(uri)).toBe(false);
  });

  it('says "none" rather than "refused" when the shape differs further on', () => {
    expect(match('a://x/{v}/end', 'a://x/../other')).toEqual({ kind: 'none' });
  });

  it('passes dot segments, encoded slashes and NUL through open-ended variables', () => {
    const hostile = '../a%2Fb/%00/%5C';
    expect(match('a://x/{+v}', `a://x/${hostile}`)).toEqual({ kind: 'match', values: { v: '../a/b/\0/\\' } });
    expect(match('a://x{/v*}', `a://x/${hostile}`)).toEqual({
      kind: 'match',
      values: { v: ['..', 'a/b', '\0', '\\'] },
    });
  });

  it('never throws, for any URI', () => {
    const templates = ['a://{h}/{v}/r-{i}.x', 'a://x{/l*}{?p,q}', 'a:///{+r}'].map((text) => UriTemplate.parse(text));
    const pieces = fc.constantFrom(
      'a://',
      'x',
      '/',
      '%',
      '%2',
      '%41',
      '%E9',
      '?',
      '&',
      '=',
      '#',
      'p',
      'q',
      '..',
      '\ud800',
      '\0',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((list) => list.join('')),
        ),
        (uri) => {
          for (const template of templates) expect(['match', 'refused', 'none']).toContain(template.match(uri).kind);
        },
      ),
    );
  });
});

describe('the cost of a match', () => {
  const shapes: readonly [string, string, (length: number) => string][] = [
    ['one long value', 'a://x/{v}', (length) => `a://x/${'y'.repeat(length)}`],
    ['slashes only', 'a://x/{+v}', (length) => `a://x/${'/'.repeat(length)}`],
    ['many segments', 'a://x/a{/v*}/b/c/d', (length) => `a://x/a/${'b/c/d/'.repeat(length / 6)}e`],
    ['many equal segments', 'a://x/{a}/{+v}/{b}', (length) => `a://x/${'a/'.repeat(length / 2)}a`],
    ['many parameters', 'a://x{?p,q}', (length) => `a://x?${'p=1&'.repeat(length / 4)}`],
    ['escapes in lower case', 'a://x/{v}', (length) => `a://x/${'%c3%a9'.repeat(length / 6)}`],
    ['broken escapes', 'a://x/{v}', (length) => `a://x/${'%'.repeat(length)}`],
    ['raw text beyond ASCII', 'a://x/{v}', (length) => `a://x/${'é'.repeat(length)}`],
    ['suffix that almost fits', `a://x/a{v}${'b'.repeat(900)}`, (length) => `a://x/a${'b'.repeat(length)}c`],
    ['percent signs before hex', 'a://x/{v}', (length) => `a://x/${'%a'.repeat(length / 2)}`],
  ];

  const bestOf = (template: UriTemplate, uri: string): number => cpuCostOf(() => template.match(uri));

  // Sixteen times the length costs 16 times the time when linear and 256 times when quadratic; CPU time of the
  // process, the best of five, and a floor of 2 ms leave room for a loaded machine.
  it.each(shapes)('grows linearly up to 1 MB: %s', (_case, source, uriOf) => {
    const template = UriTemplate.parse(source);
    const small = Math.max(bestOf(template, uriOf(65_536)), 2_000);
    expect(bestOf(template, uriOf(1_048_576))).toBeLessThan(small * 100);
  });
});

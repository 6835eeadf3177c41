import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { TemplateVariables } from '../../../lib/uri/uri-template.matcher.js';
import { UriTemplate } from '../../../lib/uri/uri-template.js';

const expand = (template: string, values: Partial<TemplateVariables>) => UriTemplate.parse(template).expand(values);

/** The values of RFC 6570 section 3.2. */
const RFC_VALUES = {
  count: ['one', 'two', 'three'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
};

describe('the expansions of RFC 6570, behind "a://h"', () => {
  it.each<[string, string]>([
    ['/{var}', '/value'],
    ['/{hello}', '/Hello%20World%21'],
    ['/{half}', '/50%25'],
    ['/O{hello}X', '/OHello%20World%21X'],
    ['/{x}/{y}', '/1024/768'],
    ['/{dub}', '/me%2Ftoo'],
    ['/{base}', '/http%3A%2F%2Fexample.com%2Fhome%2F'],
    ['/{+var}', '/value'],
    ['/{+hello}', '/Hello%20World!'],
    ['/{+half}', '/50%25'],
    ['/{+base}', '/http://example.com/home/'],
    ['/{+path}/here', '//foo/bar/here'],
    ['{/who}', '/fred'],
    ['{/half}', '/50%25'],
    ['{/dub}', '/me%2Ftoo'],
    ['{/var}/{x}', '/value/1024'],
    ['{/list*}', '/red/green/blue'],
    ['{/count*}', '/one/two/three'],
    ['{?who}', '?who=fred'],
    ['{?half}', '?half=50%25'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?undef}', ''],
    ['{?x}{&y,empty}', '?x=1024&y=768&empty='],
    ['{?undef}{&x}', '?x=1024'],
  ])('%s is %s', (template, expansion) => {
    expect(expand(`a://h${template}`, RFC_VALUES)).toBe(`a://h${expansion}`);
  });

  it('passes whole escapes through {+v} and encodes them in {v}', () => {
    expect(expand('a://h/{+v}', { v: 'a%2Fb%zz' })).toBe('a://h/a%2Fb%25zz');
    expect(expand('a://h/{v}', { v: 'a%2Fb' })).toBe('a://h/a%252Fb');
  });

  it('encodes literals beyond ASCII and writes the scheme in lower case', () => {
    expect(expand('Demo://café/{v}', { v: 'é' })).toBe('demo://caf%C3%A9/%C3%A9');
  });

  it.each<[string, Partial<TemplateVariables>, RegExp]>([
    ['a://h/{v}', {}, /"v" needs a value/],
    ['a://h/{v}', { v: '' }, /"v" needs a value/],
    ['a://h/{+v}', { v: '' }, /"v" needs a value/],
    ['a://h{/v*}', { v: [] }, /"v" needs a value/],
    ['a://h{/v*}', { v: ['a', ''] }, /"v" needs a value/],
    ['a://h/{v}', { v: ['a'] }, /"v" takes a text/],
    ['a://h{?v}', { v: ['a'] }, /"v" takes a text/],
    ['a://h/{toString}', {}, /"toString" needs a value/],
  ])('%s refuses %j', (template, values, message) => {
    expect(() => expand(template, values)).toThrow(message);
  });

  it('takes one text for a list of one', () => {
    expect(expand('a://h{/v*}', { v: 'a/b' })).toBe('a://h/a%2Fb');
  });
});

describe('match after expand', () => {
  const wellFormed = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/\p{Surrogate}/u.test(text));
  const safe = wellFormed.filter((text) => !/[/\\\0]/.test(text) && text !== '.' && text !== '..');
  const rest = fc
    .array(
      wellFormed.filter((text) => !/[/%?#]/.test(text)),
      { minLength: 1 },
    )
    .map((segments) => segments.join('/'));
  const list = fc.array(wellFormed, { minLength: 1 });
  const optional = fc.option(wellFormed, { nil: undefined });

  /** The values of the first run whose match differs from them. */
  const counterexample = (template: string, values: fc.Arbitrary<Record<string, string | string[] | undefined>>) => {
    const parsed = UriTemplate.parse(template);
    const property = fc.property(values, (given) => {
      const expected = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      return isDeepStrictEqual(parsed.match(parsed.expand(given)), {
        kind: 'match',
        values: expected,
      });
    });
    return fc.check(property).counterexample;
  };

  it('gives back every value of whole-segment variables', () => {
    expect(
      counterexample(
        'a://{host}/x/{v}{?p,q}{&r}',
        fc.record({ host: safe, v: safe, p: optional, q: optional, r: optional }),
      ),
    ).toBeNull();
  });

  it('gives back values between a prefix and a suffix', () => {
    expect(counterexample('a://h/report-{v}.pdf{/w}', fc.record({ v: safe, w: safe }))).toBeNull();
  });

  it('gives back a rest', () => {
    expect(counterexample('a://h/{v}/{+r}/end{?p}', fc.record({ v: safe, r: rest, p: optional }))).toBeNull();
  });

  it('gives back a list', () => {
    expect(counterexample('a://h/{v}{/l*}/{w}', fc.record({ v: safe, l: list, w: safe }))).toBeNull();
  });
});

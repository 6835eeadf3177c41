import { describe, expect, it } from '@jest/globals';

import { nameOf, present } from '../../../lib/registry/builders/component-names.js';

describe('names of components', () => {
  it.each([
    ['greet', 'greet'],
    ['greetPeople', 'greet_people'],
    ['already_snake', 'already_snake'],
    ['parseHTMLPage', 'parse_html_page'],
    ['getV2', 'get_v2'],
    ['v2Get', 'v2_get'],
    ['URL', 'url'],
  ])('come from the method %s as %s', (method, expected) => {
    expect(nameOf(undefined, method, 'Host.run')).toBe(expected);
  });

  it('are kept where they are given', () => {
    expect(nameOf('Given.Name-1', 'greet', 'Host.run')).toBe('Given.Name-1');
  });

  it.each(['', 'a b', 'a/b', 'ä', 'a\n', 'a'.repeat(129)])('are refused as %j, with the place', (name) => {
    expect(() => nameOf(name, 'greet', 'Host.run')).toThrow(/^Host\.run: the name /);
  });

  it('are refused where the method has signs that names lack', () => {
    expect(() => nameOf(undefined, '$run', 'Host.$run')).toThrow('"$run" is not allowed');
  });

  it('omit absent members', () => {
    expect(Object.keys(present({ a: 1, b: undefined, c: null }))).toEqual(['a', 'c']);
  });
});

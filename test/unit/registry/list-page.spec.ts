import { describe, expect, it } from '@jest/globals';

import { PagedList, type ListPage } from '../../../lib/registry/list-page.js';

const items = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

function pageOf(list: PagedList, cursor?: string): ListPage {
  const page = list.page(cursor);
  if (typeof page === 'string') throw new Error(page);
  return page;
}

const sign = (...parts: unknown[]): string => Buffer.from(parts.join('.'), 'latin1').toString('base64url');

/** The parts of a cursor: version, kind, page size, digest, offset. */
const partsOf = (cursor: string | undefined): string[] =>
  Buffer.from(cursor ?? '', 'base64url')
    .toString('latin1')
    .split('.');

describe('a paged list', () => {
  it('is cut once, so that a page is the same object every time', () => {
    const list = new PagedList('tool', items('a', 'b', 'c'), 2);
    const first = pageOf(list);
    expect(pageOf(list)).toBe(first);
    expect(pageOf(list, first.nextCursor)).toBe(pageOf(list, first.nextCursor));
    expect(Object.isFrozen(first)).toBe(true);
  });

  it.each([
    [0, [[]]],
    [1, [['a']]],
    [2, [['a', 'b']]],
    [3, [['a', 'b'], ['c']]],
    [
      4,
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('of %i items has the pages %j', (count, expected) => {
    const list = new PagedList('tool', items(...['a', 'b', 'c', 'd'].slice(0, count)), 2);
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = pageOf(list, cursor);
      pages.push(page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual(expected);
  });

  it('accepts cursors of another instance with the same items, and no others', () => {
    const list = new PagedList('tool', items('a', 'b', 'c'), 2);
    const cursor = pageOf(new PagedList('tool', items('a', 'b', 'c'), 2)).nextCursor;
    expect(pageOf(list, cursor).items).toEqual(items('c'));
    expect(list.page(pageOf(new PagedList('tool', items('a', 'b', 'd'), 2)).nextCursor)).toBe('expired');
    expect(list.page(pageOf(new PagedList('prompt', items('a', 'b', 'c'), 2)).nextCursor)).toBe('invalid');
    expect(list.page(pageOf(new PagedList('tool', items('a', 'b', 'c'), 1)).nextCursor)).toBe('invalid');
  });

  it('distinguishes a cursor of an earlier state from an invalid one', () => {
    const list = new PagedList('tool', items('a', 'b', 'c', 'd', 'e'), 2);
    const [version, kind, size, digest] = partsOf(pageOf(list).nextCursor);
    const other = '0'.repeat(16);
    expect(list.page(sign(version, kind, size, digest, 2))).toMatchObject({ items: items('c', 'd') });
    expect(list.page(sign(version, kind, size, other, 2))).toBe('expired');
    for (const offset of [0, 1, 3, -2, '']) expect(list.page(sign(version, kind, size, other, offset))).toBe('invalid');
    expect(list.page(sign(9, kind, size, other, 2))).toBe('invalid');
    expect(list.page(sign(version, 'resource', size, other, 2))).toBe('invalid');
    expect(list.page(sign(version, kind, size, 'short', 2))).toBe('invalid');
  });

  it.each(['', ' ', '.', 'garbage', 'a'.repeat(2_049), sign(1, 'tool'), '\u0000', '💥'])('refuses %j', (cursor) => {
    expect(new PagedList('tool', items('a', 'b', 'c'), 2).page(cursor)).toBe('invalid');
  });
});

import { MalformedAnswerError } from '../errors/client.errors.js';
import type { Fields } from '../model/fields.js';

/** A server that never comes to an end is broken. */
const MAX_PAGES = 1_000;

/** Follows the cursors of a list to its end. */
export async function walkPages(ask: (cursor: Fields) => Promise<Fields>, member: string): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: Fields = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { [member]: listed, nextCursor } = await ask(cursor);
    if (!Array.isArray(listed)) throw new MalformedAnswerError(`a page has no list of ${member}`);
    for (const item of listed as readonly unknown[]) items.push(item);
    if (nextCursor === undefined) return items;
    if (typeof nextCursor !== 'string' || seen.has(nextCursor)) {
      throw new MalformedAnswerError('a page leads to one that was there before');
    }
    seen.add(nextCursor);
    cursor = { cursor: nextCursor };
  }
  throw new MalformedAnswerError(`a list has more than ${MAX_PAGES} pages`);
}

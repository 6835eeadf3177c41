import { createHash } from 'node:crypto';

import type { ComponentDefinition, ComponentKind } from '../model/component.js';

/** One page of a list; the same object until the list changes. */
export interface ListPage {
  readonly items: readonly ComponentDefinition[];
  readonly nextCursor?: string;
}

/** `expired`: a valid cursor, but for another state of the list. */
export type PageLookup = ListPage | 'invalid' | 'expired';

const MAX_CURSOR_LENGTH = 2_048;
const CURSOR_VERSION = 1;
const CURSOR = /^([0-9a-z]+)\.([a-z]+)\.([0-9a-z]+)\.([0-9a-f]{16})\.([0-9a-z]+)$/;

/** A list that is split into pages once. Cursors contain all of their state, so any instance of the app can serve the next page. */
export class PagedList {
  private readonly pages = new Map<string, ListPage>();
  private readonly first: ListPage;

  constructor(
    private readonly kind: ComponentKind,
    items: readonly ComponentDefinition[],
    private readonly pageSize: number,
  ) {
    const digest = createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 16);
    const cursorAt = (offset: number): string =>
      Buffer.from(
        [CURSOR_VERSION, kind, pageSize.toString(36), digest, offset.toString(36)].join('.'),
        'latin1',
      ).toString('base64url');
    this.first = Object.freeze(this.cut(items, 0, cursorAt));
    for (let offset = pageSize; offset < items.length; offset += pageSize) {
      this.pages.set(cursorAt(offset), Object.freeze(this.cut(items, offset, cursorAt)));
    }
  }

  page(cursor: string | undefined): PageLookup {
    if (cursor === undefined) return this.first;
    return this.pages.get(cursor) ?? this.explain(cursor);
  }

  private cut(items: readonly ComponentDefinition[], offset: number, cursorAt: (offset: number) => string): ListPage {
    const end = offset + this.pageSize;
    const page = { items: items.slice(offset, end) };
    return end < items.length ? { ...page, nextCursor: cursorAt(end) } : page;
  }

  private explain(cursor: string): 'invalid' | 'expired' {
    if (cursor.length > MAX_CURSOR_LENGTH) return 'invalid';
    const parts = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
    if (parts === null || Number.parseInt(parts[1] ?? '', 36) !== CURSOR_VERSION || parts[2] !== this.kind)
      return 'invalid';
    const size = Number.parseInt(parts[3] ?? '', 36);
    const offset = Number.parseInt(parts[5] ?? '', 36);
    return size === this.pageSize && offset > 0 && offset % size === 0 ? 'expired' : 'invalid';
  }
}

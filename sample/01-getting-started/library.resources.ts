import { Injectable } from '@nestjs/common';
import { blob, Completion, Resource, type CompletionQuery } from 'nestjs-mcp';

import { LibraryService, type Book } from './library.service.js';

@Injectable()
export class LibraryResources {
  constructor(private readonly library: LibraryService) {}

  @Resource({ uri: 'library://rules', description: 'The rules of the house', mimeType: 'text/markdown' })
  rules(): string {
    return '# Rules\n\nA loan lasts 14 days, at most 28. Bring books back dry.\n';
  }

  @Resource({ uri: 'library://catalog', description: 'All books' })
  catalog(): readonly Book[] {
    return this.library.all();
  }

  @Resource({ uri: 'library://books/{isbn}', description: 'One book, and how many copies are on the shelf' })
  book({ isbn }: { isbn: string }): Book & { available: number } {
    return { ...this.library.get(isbn), available: this.library.available(isbn) };
  }

  @Resource({ uri: 'library://covers/{isbn}', description: 'The cover of a book', mimeType: 'image/svg+xml' })
  cover({ isbn }: { isbn: string }) {
    return blob(this.library.cover(isbn));
  }

  /** `undefined` means that no resource exists at this URI. */
  @Resource({ uri: 'library://authors/{name}', description: 'The books of an author' })
  author({ name }: { name: string }): readonly Book[] | undefined {
    const books = this.library.byAuthor(name);
    return books.length === 0 ? undefined : books;
  }

  @Completion({ resource: 'library://books/{isbn}', argument: 'isbn' })
  @Completion({ resource: 'library://covers/{isbn}', argument: 'isbn' })
  isbns({ value }: CompletionQuery): string[] {
    const all = this.library.all().map((book) => book.isbn);
    return all.filter((isbn) => isbn.startsWith(value));
  }

  @Completion({ resource: 'library://authors/{name}', argument: 'name' })
  authors({ value }: CompletionQuery): string[] {
    const names = new Set(this.library.all().map((book) => book.author));
    return [...names].filter((name) => name.toLowerCase().startsWith(value.toLowerCase()));
  }
}

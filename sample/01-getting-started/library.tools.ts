import { Injectable } from '@nestjs/common';
import { image, McpContext, resourceLink, text, Tool, type ContentBlock, type ToolArgs } from 'nestjs-mcp';

import {
  bookArgs,
  lendSchema,
  loanSchema,
  returnArgs,
  SearchArgs,
  searchResult,
  Statistics,
  type LendArgs,
} from './library.schemas.js';
import { LibraryService, type Loan } from './library.service.js';

@Injectable()
export class LibraryTools {
  constructor(private readonly library: LibraryService) {}

  @Tool({ description: 'Find books by title or author', output: searchResult, annotations: { readOnlyHint: true } })
  searchBooks({ text: wanted, language, limit }: SearchArgs): ToolArgs<typeof searchResult> {
    const found = this.library.search(wanted, language);
    const books = found.slice(0, limit).map(({ isbn, title, author }) => {
      return { isbn, title, author, available: this.library.available(isbn) };
    });
    return { total: found.length, books };
  }

  /** Content blocks, for results with more than one text. */
  @Tool({ description: 'Show one book with its cover', input: bookArgs, annotations: { readOnlyHint: true } })
  showBook({ isbn }: ToolArgs<typeof bookArgs>): ContentBlock[] {
    const { title, author, year } = this.library.get(isbn);
    return [
      text(`"${title}" by ${author}, ${year}`),
      image(this.library.cover(isbn), 'image/svg+xml'),
      resourceLink({ uri: `library://books/${isbn}`, name: isbn, title, mimeType: 'application/json' }),
    ];
  }

  /** The model gets the text of an `HttpException` below 500, such as the service's 404, and can correct itself. */
  @Tool({
    description: 'Lend a book to a reader',
    input: lendSchema,
    output: loanSchema,
    annotations: { destructiveHint: false },
  })
  lendBook({ isbn, reader, days = 14 }: LendArgs): Loan {
    return this.library.lend(isbn, reader, days);
  }

  @Tool({
    description: 'Take a book back from a reader',
    input: returnArgs,
    output: loanSchema,
    annotations: { destructiveHint: false },
  })
  returnBook({ isbn, reader }: ToolArgs<typeof returnArgs>): Loan {
    return this.library.takeBack(isbn, reader);
  }

  @Tool({ description: 'Count titles, copies and loans', output: Statistics, annotations: { readOnlyHint: true } })
  statistics(): Statistics {
    const books = this.library.all();
    const copies = books.reduce((sum, book) => sum + book.copies, 0);
    const available = books.reduce((sum, book) => sum + this.library.available(book.isbn), 0);
    return { titles: books.length, copies, lent: copies - available };
  }

  @Tool({ description: 'Count the copies on the shelves, one title after the other' })
  async takeInventory(context: McpContext): Promise<string> {
    const books = this.library.all();
    let copies = 0;
    for (const [index, book] of books.entries()) {
      copies += this.library.available(book.isbn);
      await context.progress(index + 1, books.length, book.title);
    }
    return `${copies} copies are on the shelves`;
  }
}

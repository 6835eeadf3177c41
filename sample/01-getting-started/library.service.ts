import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';

export interface Book {
  readonly isbn: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly language: 'en' | 'fr' | 'ja' | 'pt';
  readonly genre: string;
  readonly copies: number;
}

export interface Loan {
  readonly isbn: string;
  readonly reader: string;
  /** Day by which the book is due, as `YYYY-MM-DD`. */
  readonly due: string;
}

const DAY_MS = 86_400_000;

/** An ordinary service: it knows nothing about MCP. */
@Injectable()
export class LibraryService {
  private readonly books = new Map(BOOKS.map((book) => [book.isbn, book]));
  private readonly loans: Loan[] = [];

  all(): readonly Book[] {
    return [...this.books.values()];
  }

  /** Books whose title or author contains the text, ignoring case. */
  search(text: string, language?: Book['language']): readonly Book[] {
    const wanted = text.toLowerCase();
    return this.all().filter(
      (book) =>
        `${book.title}\n${book.author}`.toLowerCase().includes(wanted) &&
        (language === undefined || book.language === language),
    );
  }

  byAuthor(author: string): readonly Book[] {
    return this.all().filter((book) => book.author === author);
  }

  get(isbn: string): Book {
    const book = this.books.get(isbn);
    if (book === undefined) throw new NotFoundException(`There is no book with the ISBN ${isbn}. Use search_books.`);
    return book;
  }

  available(isbn: string): number {
    return this.get(isbn).copies - this.loans.filter((loan) => loan.isbn === isbn).length;
  }

  lend(isbn: string, reader: string, days: number): Loan {
    if (this.available(isbn) === 0) throw new ConflictException(`All copies of "${this.get(isbn).title}" are lent.`);
    const loan = { isbn, reader, due: new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10) };
    this.loans.push(loan);
    return loan;
  }

  takeBack(isbn: string, reader: string): Loan {
    const index = this.loans.findIndex((loan) => loan.isbn === isbn && loan.reader === reader);
    const [loan] = index === -1 ? [] : this.loans.splice(index, 1);
    if (loan === undefined) throw new NotFoundException(`${reader} has not borrowed "${this.get(isbn).title}".`);
    return loan;
  }

  /** A picture of the cover, as SVG. */
  cover(isbn: string): Buffer {
    const { year } = this.get(isbn);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="90"><rect width="60" height="90" fill="hsl(${year % 360} 50% 40%)"/></svg>`;
    return Buffer.from(svg);
  }
}

const BOOKS: readonly Book[] = [
  {
    isbn: '9780156001311',
    title: 'Ensaio sobre a Cegueira',
    author: 'José Saramago',
    year: 1995,
    language: 'pt',
    genre: 'novel',
    copies: 1,
  },
  {
    isbn: '9784101001012',
    title: '吾輩は猫である',
    author: '夏目漱石',
    year: 1905,
    language: 'ja',
    genre: 'satire',
    copies: 2,
  },
  {
    isbn: '9782070360024',
    title: "L'Étranger",
    author: 'Albert Camus',
    year: 1942,
    language: 'fr',
    genre: 'novel',
    copies: 3,
  },
  {
    isbn: '9780141439518',
    title: 'Pride and Prejudice',
    author: 'Jane Austen',
    year: 1813,
    language: 'en',
    genre: 'romance',
    copies: 2,
  },
  {
    isbn: '9780141439587',
    title: 'Emma',
    author: 'Jane Austen',
    year: 1815,
    language: 'en',
    genre: 'romance',
    copies: 1,
  },
];

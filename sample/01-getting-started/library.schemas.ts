import { IsIn, IsInt, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { Describe } from 'nestjs-mcp';
import { z } from 'zod';

import type { Book } from './library.service.js';

/** Input as a DTO class: the rules of class-validator become the advertised JSON Schema. */
export class SearchArgs {
  @Describe('Part of a title or of the name of an author')
  @IsString()
  @MinLength(1)
  text!: string;

  @Describe('Language of the book')
  @IsOptional()
  @IsIn(['en', 'fr', 'ja', 'pt'])
  language?: Book['language'];

  @Describe('How many books to return')
  @IsInt()
  @Min(1)
  @Max(50)
  limit: number = 10;
}

/** Output as a DTO class. */
export class Statistics {
  @IsInt() @Min(0) titles!: number;
  @IsInt() @Min(0) copies!: number;
  @IsInt() @Min(0) lent!: number;
}

/** Input and output as Zod schemas. */
export const isbn = z
  .string()
  .regex(/^97[89]\d{10}$/)
  .describe('ISBN of thirteen digits');

export const bookArgs = z.object({ isbn });

export const returnArgs = z.object({ isbn, reader: z.string().min(1).describe('Who brings the book back') });

export const searchResult = z.object({
  total: z.int().describe('How many books were found'),
  books: z.array(z.object({ isbn, title: z.string(), author: z.string(), available: z.int() })),
});

export const loanSchema = z.object({ isbn, reader: z.string(), due: z.iso.date() });

/** Input as JSON Schema 2020-12; the handler declares the type that the schema guarantees. */
export const lendSchema = {
  type: 'object',
  properties: {
    isbn: { type: 'string', pattern: '^97[89]\\d{10}$', description: 'ISBN of thirteen digits' },
    reader: { type: 'string', minLength: 1, description: 'Who borrows the book' },
    days: { type: 'integer', minimum: 1, maximum: 28, description: 'For how long; 14 days if left out' },
  },
  required: ['isbn', 'reader'],
  additionalProperties: false,
};

export interface LendArgs {
  isbn: string;
  reader: string;
  days?: number;
}

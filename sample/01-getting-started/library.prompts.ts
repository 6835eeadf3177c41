import { Injectable } from '@nestjs/common';
import {
  assistant,
  Completion,
  embedded,
  Prompt,
  user,
  type CompletionQuery,
  type PromptMessage,
  type ToolArgs,
} from 'nestjs-mcp';
import { z } from 'zod';

import { isbn } from './library.schemas.js';
import { LibraryService } from './library.service.js';

const recommendArgs = z.object({
  genre: z.string().describe('What the reader likes'),
  reader: z.string().optional().describe('Name of the reader'),
});

const discussArgs = z.object({ isbn });

@Injectable()
export class LibraryPrompts {
  constructor(private readonly library: LibraryService) {}

  @Prompt({ description: 'Recommend a book of the library', input: recommendArgs })
  recommend({ genre, reader = 'a reader' }: ToolArgs<typeof recommendArgs>): string {
    return `Recommend one book of this library to ${reader} who likes ${genre}. Search first, and name its ISBN.`;
  }

  /** Several messages; one of them contains a resource. */
  @Prompt({ description: 'Begin a talk about a book', input: discussArgs })
  discuss({ isbn: number }: ToolArgs<typeof discussArgs>): PromptMessage[] {
    const book = this.library.get(number);
    return [
      user(embedded({ uri: `library://books/${number}`, mimeType: 'application/json', text: JSON.stringify(book) })),
      user(`Let us talk about "${book.title}".`),
      assistant('Gladly. Have you read it before?'),
    ];
  }

  @Completion({ prompt: 'recommend', argument: 'genre' })
  genres({ value }: CompletionQuery): string[] {
    const genres = new Set(this.library.all().map((book) => book.genre));
    return [...genres].filter((genre) => genre.startsWith(value));
  }
}

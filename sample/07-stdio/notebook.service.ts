import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

export interface Note {
  readonly number: number;
  readonly owner: string;
  readonly text: string;
}

@Injectable()
export class Notebook implements OnApplicationShutdown {
  private readonly logger = new Logger(Notebook.name);
  private readonly notes: Note[] = [];

  write(owner: string, text: string): Note {
    const note = { number: this.notes.length + 1, owner, text };
    this.notes.push(note);
    return note;
  }

  find(words: string): Note[] {
    return this.notes.filter(({ text }) => text.toLowerCase().includes(words.toLowerCase()));
  }

  all(): readonly Note[] {
    return this.notes;
  }

  /** Also called when the client closes the pipe. */
  onApplicationShutdown(): void {
    this.logger.log(`${this.notes.length} notes are forgotten`);
  }
}

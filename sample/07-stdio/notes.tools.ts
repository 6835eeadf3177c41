import { setTimeout as rest } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { Auth, McpContext, McpNotifier, Resource, Tool } from 'nestjs-mcp';
import { z } from 'zod';

import { Notebook, type Note } from './notebook.service.js';

const newNote = z.object({ text: z.string().min(1).max(1_000).describe('What to remember') });
const search = z.object({ words: z.string().min(1).describe('Part of the note') });

@Injectable()
export class NotesTools {
  constructor(
    private readonly notebook: Notebook,
    private readonly notifier: McpNotifier,
  ) {}

  @Tool({ description: 'Write a note', input: newNote })
  async writeNote({ text }: z.infer<typeof newNote>, @Auth() caller?: { sub: string }): Promise<Note> {
    const note = this.notebook.write(caller?.sub ?? 'somebody', text);
    await this.notifier.resourceUpdated('notes://all');
    return note;
  }

  @Tool({ description: 'Find notes by part of their text', input: search })
  findNotes({ words }: z.infer<typeof search>): { notes: Note[] } {
    // This output is safe: it goes to stderr, so the client never gets it.
    console.log(`Somebody looks for ${words}`);
    return { notes: this.notebook.find(words) };
  }

  @Tool({ description: 'Read all notes aloud, one after the other' })
  async readAloud(context: McpContext): Promise<string> {
    const notes = this.notebook.all();
    for (const { number, text } of notes) {
      await context.progress(number, notes.length, text);
      await rest(text.length * 50, undefined, { signal: context.signal });
    }
    return `${notes.length} notes were read`;
  }

  @Resource({ uri: 'notes://all', description: 'All notes', mimeType: 'application/json' })
  all(): readonly Note[] {
    return this.notebook.all();
  }
}

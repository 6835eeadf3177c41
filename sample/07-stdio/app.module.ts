import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';

import { Notebook } from './notebook.service.js';
import { NotesTools } from './notes.tools.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'notes',
      version: '1.0.0',
      // One process serves one client, so there is no HTTP endpoint.
      http: false,
      instructions: 'Notes live as long as the process. Find a note before you write it a second time.',
    }),
  ],
  providers: [Notebook, NotesTools],
})
export class AppModule {}

import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';

import { LibraryPrompts } from './library.prompts.js';
import { LibraryResources } from './library.resources.js';
import { LibraryService } from './library.service.js';
import { LibraryTools } from './library.tools.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'library',
      version: '1.0.0',
      title: 'Town library',
      instructions: 'Search with search_books first; every other tool takes the ISBN that it returns.',
    }),
  ],
  providers: [LibraryService, LibraryTools, LibraryResources, LibraryPrompts],
})
export class AppModule {}

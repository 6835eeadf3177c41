import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';

import { KilnAnnouncer } from './kiln.announcer.js';
import { KilnService } from './kiln.service.js';
import { StudioResources } from './studio.resources.js';
import { StudioTools } from './studio.tools.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'pottery',
      version: '1.0.0',
      title: 'Pottery studio',
      instructions: 'Glaze pots, then fire them. When the kiln is ready, the tool open_kiln appears.',
    }),
  ],
  providers: [KilnService, KilnAnnouncer, StudioTools, StudioResources],
})
export class AppModule {}

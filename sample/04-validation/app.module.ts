import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';

import { BakeryService } from './bakery.service.js';
import { BakeryTools } from './bakery.tools.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'bakery',
      version: '1.0.0',
      instructions: 'All of the three tools order a cake, so take any of them.',
    }),
  ],
  providers: [BakeryService, BakeryTools],
})
export class AppModule {}

import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';

import { BadgeGuard } from './badge.guard.js';
import { Badges } from './badges.service.js';
import { PrintQueue } from './print-queue.service.js';
import { QueueTools } from './queue.tools.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'print-worker',
      version: '1.0.0',
      instructions: 'Jobs are printed one after the other; nobody has to wait for them.',
      http: false,
      listener: { port: Number(process.env['PORT'] ?? 3000), guards: [BadgeGuard] },
    }),
  ],
  providers: [BadgeGuard, Badges, PrintQueue, QueueTools],
})
export class AppModule {}

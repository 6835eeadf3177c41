import { Injectable } from '@nestjs/common';
import { Auth, Tool, type ToolArgs } from 'nestjs-mcp';
import { z } from 'zod';

import type { Colleague } from './badges.service.js';
import { PrintQueue, type PrintJob } from './print-queue.service.js';

const printArgs = z.object({
  title: z.string().min(1).describe('What to print'),
  pages: z.int().min(1).max(500).describe('How many pages it has'),
});

@Injectable()
export class QueueTools {
  constructor(private readonly queue: PrintQueue) {}

  @Tool({ description: 'Put a document into the print queue', input: printArgs })
  print({ title, pages }: ToolArgs<typeof printArgs>, @Auth() { name }: Colleague): string {
    const place = this.queue.add({ title, pages, owner: name });
    return `${title} is number ${place} in the queue, ${name}`;
  }

  @Tool({ description: 'Show the print queue', annotations: { readOnlyHint: true } })
  showQueue(): { jobs: readonly PrintJob[] } {
    return { jobs: this.queue.all() };
  }
}

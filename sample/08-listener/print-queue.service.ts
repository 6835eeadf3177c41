import { Injectable } from '@nestjs/common';

export interface PrintJob {
  readonly title: string;
  readonly pages: number;
  readonly owner: string;
}

/** The service of this process; it knows nothing about MCP. */
@Injectable()
export class PrintQueue {
  private readonly jobs: PrintJob[] = [];

  /** Position in the queue, from 1. */
  add(job: PrintJob): number {
    return this.jobs.push(job);
  }

  all(): readonly PrintJob[] {
    return this.jobs;
  }
}

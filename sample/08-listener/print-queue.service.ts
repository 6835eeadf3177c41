import { Injectable } from '@nestjs/common';

export interface PrintJob {
  readonly title: string;
  readonly pages: number;
  readonly owner: string;
}

/** What this process is for; it knows nothing about MCP. */
@Injectable()
export class PrintQueue {
  private readonly jobs: PrintJob[] = [];

  /** Its place in the queue, from 1. */
  add(job: PrintJob): number {
    return this.jobs.push(job);
  }

  all(): readonly PrintJob[] {
    return this.jobs;
  }
}

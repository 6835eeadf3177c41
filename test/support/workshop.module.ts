import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { z } from 'zod';

import {
  McpContext,
  McpExecutor,
  McpModule,
  Tool,
  type ExecutorStats,
  type McpModuleOptions,
} from '../../lib/index.js';
import { Gate } from './gate.js';
import type { ServedApp } from './served-app.js';

/** One call of `hold`, as a test sees it. */
export class HeldCall {
  /** Lets the handler return. */
  readonly release = new Gate<string>();
  /** Opens with the reason when the signal aborts. */
  readonly aborted = new Gate<unknown>();

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.aborted.open(signal.reason));
  }
}

/** Tools that run for as long as a test wants. */
@Injectable()
export class Workshop {
  readonly held = new Map<string, HeldCall>();
  private readonly waiting = new Map<string, Gate<HeldCall>>();

  @Tool({ description: 'Runs until it is released', input: z.object({ name: z.string() }) })
  async hold({ name }: { name: string }, { signal }: McpContext): Promise<string> {
    const call = new HeldCall(signal);
    this.held.set(name, call);
    this.gateOf(name).open(call);
    return call.release.opened;
  }

  @Tool({ description: 'Ends when it is aborted', input: z.object({ name: z.string() }) })
  async obey({ name }: { name: string }, { signal }: McpContext): Promise<string> {
    const call = new HeldCall(signal);
    this.held.set(name, call);
    this.gateOf(name).open(call);
    await call.aborted.opened;
    throw signal.reason;
  }

  @Tool({ description: 'Runs for a short time at most', input: z.object({ name: z.string() }), timeoutMs: 40 })
  brief(args: { name: string }, context: McpContext): Promise<string> {
    return this.hold(args, context);
  }

  /** Awaits nothing that would let a timer run, before it has waited or after. */
  @Tool({ description: 'Blocks the process', input: z.object({ awaits: z.boolean() }), timeoutMs: 20 })
  async block({ awaits }: { awaits: boolean }): Promise<string> {
    if (awaits) await new Promise((resolve) => setImmediate(resolve));
    const end = performance.now() + 40;
    while (performance.now() < end);
    return 'too late';
  }

  @Tool({ description: 'Reports for ever', input: z.object({ name: z.string() }) })
  async report({ name }: { name: string }, context: McpContext): Promise<string> {
    this.gateOf(name).open(new HeldCall(context.signal));
    for (let done = 1; !context.signal.aborted; done += 1) {
      await context.progress(done);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return 'too late';
  }

  @Tool({ description: 'Answers at once' })
  ping(): string {
    return 'pong';
  }

  /** The call of this name, once it runs. */
  started(name: string): Promise<HeldCall> {
    return this.gateOf(name).opened;
  }

  private gateOf(name: string): Gate<HeldCall> {
    const gate = this.waiting.get(name) ?? new Gate<HeldCall>();
    this.waiting.set(name, gate);
    return gate;
  }
}

export function workshopApp(options: Partial<McpModuleOptions> = {}): DynamicModule {
  @Module({})
  class WorkshopApp {}
  return {
    module: WorkshopApp,
    imports: [McpModule.forRoot({ name: 'workshop', version: '1.0.0', ...options })],
    providers: [Workshop],
  };
}

export const statsOf = ({ app }: ServedApp): ExecutorStats => app.get(McpExecutor, { strict: false }).stats();

/** Resolves when a condition holds; what it waits for is bounded by the test's own time. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

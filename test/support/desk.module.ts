import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { z } from 'zod';

import { McpContext, McpModule, Prompt, Resource, Tool, type McpModuleOptions } from '../../lib/index.js';
import { Gate } from './gate.js';

/** What happened behind the wire, for tests to look at. */
@Injectable()
export class Desk {
  readonly calls: string[] = [];
  /** Opened when `wait` runs. */
  readonly waiting = new Gate<AbortSignal>();
  /** Opened when the signal of `wait` aborts. */
  readonly aborted = new Gate();
  /** Lets `wait` go on. */
  readonly release = new Gate<string>();
  /** The context of the last call. */
  context: McpContext | undefined;

  @Tool({ description: 'Says the text again', input: z.object({ text: z.string() }) })
  echo({ text }: { text: string }, ctx: McpContext): string {
    this.calls.push(`echo ${text}`);
    this.context = ctx;
    return text;
  }

  @Tool({ description: 'Fails' })
  boom(): string {
    this.calls.push('boom');
    throw new Error('a detail that must stay inside');
  }

  @Tool({ description: 'Waits until it is released', input: z.object({ steps: z.int().default(0) }) })
  async wait({ steps }: { steps: number }, ctx: McpContext): Promise<string> {
    this.calls.push('wait');
    ctx.signal.addEventListener('abort', () => this.aborted.open());
    for (let step = 1; step <= steps; step += 1) await ctx.progress(step, steps);
    this.waiting.open(ctx.signal);
    return this.release.opened;
  }

  @Tool({
    description: 'Tells steps, and may fail after them',
    input: z.object({ steps: z.int(), fail: z.boolean().default(false) }),
  })
  async count({ steps, fail }: { steps: number; fail: boolean }, ctx: McpContext): Promise<string> {
    for (let step = 1; step <= steps; step += 1) await ctx.progress(step, steps);
    if (fail) throw new Error('a detail that must stay inside');
    return 'counted';
  }

  @Tool({ description: 'A long text', input: z.object({ length: z.int() }) })
  long({ length }: { length: number }): string {
    return 'x'.repeat(length);
  }

  @Resource({ uri: 'demo://café', description: 'A place' })
  cafe(): string {
    return 'coffee';
  }

  @Prompt({ description: 'Says hello' })
  hello(): string {
    return 'Hello';
  }
}

export type DeskOptions = Partial<McpModuleOptions>;

/** The desk as a whole app, a new module each time. */
export function deskApp(
  options: DeskOptions = {},
  around: Pick<DynamicModule, 'imports' | 'providers' | 'controllers'> = {},
): DynamicModule {
  @Module({})
  class DeskApp {}
  const { imports = [], providers = [], controllers = [] } = around;
  return {
    module: DeskApp,
    imports: [McpModule.forRoot({ name: 'desk', version: '1.0.0', ...options }), ...imports],
    providers: [Desk, ...providers],
    controllers,
  };
}

import {
  BadRequestException,
  ForbiddenException,
  Injectable,
  Module,
  NotFoundException,
  type DynamicModule,
} from '@nestjs/common';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { z } from 'zod';

import {
  blob,
  Completion,
  image,
  McpContext,
  McpModule,
  McpProtocolError,
  OpenObject,
  Prompt,
  Resource,
  text,
  Tool,
  toolError,
  type ContentBlock,
  type McpModuleOptions,
  type ToolResult,
} from '../../lib/index.js';

class OrderArgs {
  @IsString() @IsIn(['tea', 'coffee']) drink!: string;
  @IsOptional() @IsInt() @Min(1) @Max(9) cups?: number = 1;
}

@OpenObject()
class AnyArgs {
  @IsOptional() @IsString() word?: string;
}

const nameForm = z.object({ name: z.string().min(1) });

/** Something of everything, whose answers never change. */
@Injectable()
export class Golden {
  @Tool({ description: 'Takes an order' })
  order({ drink, cups }: OrderArgs): string {
    return `${cups} x ${drink}`;
  }

  @Tool({ description: 'Gives back what it gets' })
  mirror(args: AnyArgs): object {
    return Object.fromEntries(Object.entries(args));
  }

  @Tool({
    description: 'Adds',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
  })
  add({ a, b }: { a: number; b: number }): { sum: number } {
    return { sum: a + b };
  }

  @Tool({ description: 'Breaks its promise', output: z.object({ sum: z.number() }) })
  lie(): unknown {
    return { sum: 'many' };
  }

  @Tool({ description: 'Says nothing' })
  nothing(): undefined {
    return undefined;
  }

  @Tool({ description: 'Several blocks' })
  blocks(): ContentBlock[] {
    return [text('été 日本 \u{1F98A}'), image('AAAA', 'image/png')];
  }

  @Tool({ description: 'The whole result', title: 'Tout' })
  whole(): ToolResult {
    return { content: [text('a')], structuredContent: { b: 1 }, _meta: { 'example.com/c': true } };
  }

  @Tool({ description: 'Fails by name' })
  fail({ word }: AnyArgs): unknown {
    switch (word) {
      case 'bad':
        throw new BadRequestException('Bad, and said so');
      case 'forbidden':
        throw new ForbiddenException('Not here');
      case 'missing':
        throw new NotFoundException('There is none');
      case 'protocol':
        throw new McpProtocolError(4711, 'My own', { why: 'because' });
      case 'unknown':
        throw new Error('a detail that must stay inside');
      case 'error':
        return toolError('It failed');
      default:
        return () => 1;
    }
  }

  @Tool({ description: 'Asks for a name' })
  async ask(ctx: McpContext): Promise<string> {
    const answer = await ctx.elicit('name', { message: 'Name?', schema: nameForm });
    return answer.action === 'accept' ? `Hello, ${answer.content.name}` : answer.action;
  }

  @Resource({ uri: 'golden://text', description: 'Text', mimeType: 'text/plain' })
  text(): string {
    return 'plain';
  }

  @Resource({ uri: 'golden://bytes', description: 'Bytes' })
  bytes(): ReturnType<typeof blob> {
    return blob(new Uint8Array([0, 255]), 'application/octet-stream');
  }

  @Resource({ uri: 'golden://items/{id}', description: 'An item' })
  item({ id }: { id: string }): { id: string } {
    if (id === 'none') throw new NotFoundException('No such item');
    return { id };
  }

  @Prompt({ description: 'Greets', input: z.object({ name: z.string(), tone: z.enum(['warm', 'cold']).optional() }) })
  greet({ name, tone }: { name: string; tone?: string }): string {
    return `Greet ${name}${tone === undefined ? '' : `, ${tone}`}`;
  }

  @Completion({ prompt: 'greet', argument: 'name' })
  names(value: string): string[] {
    return ['Ada', 'Adam', 'Bob'].filter((name) => name.startsWith(value));
  }
}

export function goldenApp(options: Partial<McpModuleOptions> = {}): DynamicModule {
  @Module({})
  class GoldenApp {}
  const requestState = { keys: [{ id: 'golden', secret: 'a secret of at least so many characters' }] };
  return {
    module: GoldenApp,
    imports: [McpModule.forRoot({ name: 'golden', version: '1.0.0', pageSize: 4, requestState, ...options })],
    providers: [Golden],
  };
}

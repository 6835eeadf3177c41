import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { z } from 'zod';

import {
  elicit,
  elicitUrl,
  McpContext,
  McpModule,
  Prompt,
  Resource,
  roots,
  sample,
  Tool,
  user,
  type McpModuleOptions,
} from '../../lib/index.js';

const nameForm = z.object({ name: z.string().min(1) });
const transferInput = z.object({ amount: z.number(), note: z.unknown().optional() });

/** Asks before it does something, in every way there is. */
@Injectable()
export class AskingDesk {
  readonly ran: string[] = [];

  @Tool({ description: 'Asks for consent', input: transferInput })
  async transfer({ amount }: { amount: number }, ctx: McpContext): Promise<string> {
    this.ran.push(`transfer ${amount}`);
    const code = await ctx.once('code', () => `code-${amount}`);
    const answer = await ctx.elicit('consent', { message: `Send ${amount}?`, schema: nameForm });
    return answer.action === 'accept' ? `${code} by ${answer.content.name}` : `Nothing: ${answer.action}`;
  }

  @Tool({ description: 'Asks for consent too', input: transferInput })
  async refund(args: { amount: number }, ctx: McpContext): Promise<string> {
    return this.transfer(args, ctx);
  }

  @Tool({ description: 'Asks everything, then once more' })
  async interview(ctx: McpContext): Promise<string> {
    const first = await ctx.ask({
      name: elicit({ message: 'Name?', schema: nameForm }),
      poem: sample({ messages: [user('A poem')], maxTokens: 20 }),
      places: roots(),
    });
    const page = await ctx.elicitUrl('page', { message: 'Sign', url: 'https://sign.example.com/1' });
    const name = first.name.action === 'accept' ? first.name.content.name : first.name.action;
    return `${name}, ${first.poem.model}, ${first.places.length} roots, ${page.action}`;
  }

  @Prompt({ description: 'Asks for a topic' })
  async essay(ctx: McpContext): Promise<string> {
    const answer = await ctx.elicit('topic', { message: 'Topic?', schema: nameForm });
    return `An essay on ${answer.action === 'accept' ? answer.content.name : 'nothing'}`;
  }

  @Resource({ uri: 'desk://drawer', description: 'Asks for a key' })
  async drawer(ctx: McpContext): Promise<string> {
    const { page } = await ctx.ask({ page: elicitUrl({ message: 'Unlock', url: 'https://desk.example.com/key' }) });
    return `The drawer is ${page.action === 'accept' ? 'open' : 'shut'}`;
  }
}

/** A whole app, a new module each time. */
export function askingApp(options: Partial<McpModuleOptions> = {}): DynamicModule {
  @Module({})
  class AskingApp {}
  return {
    module: AskingApp,
    imports: [McpModule.forRoot({ name: 'asking', version: '1.0.0', ...options })],
    providers: [AskingDesk],
  };
}

import { Injectable } from '@nestjs/common';
import { log, McpContext, progress, Tool, type LogItem, type ProgressItem, type ToolArgs } from 'nestjs-mcp';
import { z } from 'zod';

import { HIGHEST_CELSIUS, KilnService } from './kiln.service.js';

const pots = z.array(z.string().min(1)).min(1).max(12).describe('What is on the table, such as "bowl"');

const glazeArgs = z.object({ pots, colour: z.string().min(1).describe('Such as "celadon"') });

const fireArgs = z.object({ pots });

@Injectable()
export class StudioTools {
  constructor(private readonly kiln: KilnService) {}

  /** An async generator: yielded progress and log messages are sent at once, the last other value is the result. */
  @Tool({ description: 'Glaze pots, one after the other', input: glazeArgs })
  async *glazePots(args: ToolArgs<typeof glazeArgs>): AsyncGenerator<ProgressItem | LogItem | { glazed: string[] }> {
    const glazed: string[] = [];
    yield log('info', `Stirring the ${args.colour}`);
    for (const pot of args.pots) {
      glazed.push(`${args.colour} ${pot}`);
      yield progress(glazed.length, args.pots.length, `A ${args.colour} ${pot}`);
    }
    yield { glazed };
  }

  /** The same with the context. Awaiting `progress()` waits for slow clients, and the signal ends the firing. */
  @Tool({ description: 'Fire pots in the kiln', input: fireArgs })
  async fireKiln(args: ToolArgs<typeof fireArgs>, context: McpContext): Promise<string> {
    for await (const celsius of this.kiln.fire(args.pots, context.signal)) {
      await context.progress(celsius, HIGHEST_CELSIUS, `${celsius} °C`);
    }
    return 'The kiln has cooled down. Call open_kiln.';
  }
}

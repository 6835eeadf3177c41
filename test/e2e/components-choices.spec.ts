import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, UseGuards, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IsEnum, IsIn, IsString } from 'class-validator';
import { z } from 'zod';

import {
  Completion,
  McpExecutionContext,
  McpModule,
  McpPolicy,
  McpRegistry,
  Prompt,
  RequireScopes,
  Resource,
  type McpModuleOptions,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve, type Answer, type ServedApp } from '../support/served-app.js';

enum Tone {
  Warm = 'warm',
  Cold = 'cold',
  Cool = 'COOL',
}

class LetterArgs {
  @IsEnum(Tone) tone!: Tone;
  @IsIn(['short', 'long']) length!: string;
  @IsString() text!: string;
}

class Place {
  @IsIn(['ch', 'it']) country!: string;
  @IsString() city!: string;
}

const many = Array.from({ length: 150 }, (_, index) => `v${index}`);

const raw = {
  type: 'object',
  properties: {
    size: {
      oneOf: [
        { const: 'small', title: 'S' },
        { const: 'large', title: 'L' },
      ],
    },
    only: { const: 'this' },
    many: { type: 'string', enum: many },
  },
};

/** Lets in whoever says so in a header. */
@Injectable()
class Invited implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
    return headers['x-invited'] === 'yes';
  }
}

/** A guard of the whole app, which keeps one argument to itself. */
@Injectable()
class Discreet implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType<string>() !== 'mcp') return true;
    const { kind, name } = McpExecutionContext.create(context).getComponent();
    return kind !== 'completion' || name !== 'hushed';
  }
}

@Injectable()
class Letters {
  @Prompt({ description: 'Takes a DTO' })
  letter(args: LetterArgs): string {
    return args.text;
  }

  @Prompt({
    description: 'Takes zod',
    input: z.object({ tone: z.enum(['kind', 'strict']), hushed: z.literal('psst') }),
  })
  review(): string {
    return 'review';
  }

  @Prompt({ description: 'Takes JSON Schema', input: raw })
  order(): string {
    return 'order';
  }

  @Completion({ prompt: 'order', argument: 'only' })
  only(): string[] {
    return ['declared'];
  }

  @Prompt({ description: 'Is guarded', input: raw })
  @UseGuards(Invited)
  guarded(): string {
    return 'guarded';
  }

  @Prompt({ description: 'Needs a scope', input: raw })
  @RequireScopes('orders')
  scoped(): string {
    return 'scoped';
  }

  @Resource({ uri: 'place://{country}/{city}', description: 'A place' })
  place({ city }: Place): string {
    return city;
  }
}

function lettersModule(options: Partial<McpModuleOptions> = {}): Type<unknown> {
  @Module({
    imports: [McpModule.forRoot({ name: 'letters', version: '1.0.0', ...options })],
    providers: [Letters, Invited, { provide: APP_GUARD, useClass: Discreet }],
  })
  class LettersModule {}
  return LettersModule;
}

const complete = (
  served: ServedApp,
  [name, argument, value]: readonly [string, string, string],
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const ref = name.includes(':') ? { type: 'ref/resource', uri: name } : { type: 'ref/prompt', name };
  return served.send('completion/complete', { ref, argument: { name: argument, value } }, { headers });
};

const completionOf = async (served: ServedApp, ...query: readonly [string, string, string]): Promise<unknown> =>
  (await complete(served, query)).message.result['completion'];

describe.each(ADAPTERS)('arguments that list what they may be, on $name', (adapter) => {
  it.each<[string, string, string, readonly string[]]>([
    ['letter', 'tone', '', ['warm', 'cold', 'COOL']],
    ['letter', 'tone', 'co', ['cold', 'COOL']],
    ['letter', 'tone', 'COL', ['cold']],
    ['letter', 'tone', 'arm', []],
    ['letter', 'length', 'l', ['long']],
    ['letter', 'text', '', []],
    ['review', 'tone', 's', ['strict']],
    ['order', 'size', '', ['small', 'large']],
    ['order', 'only', '', ['declared']],
    ['place://{country}/{city}', 'country', 'I', ['it']],
    ['place://{country}/{city}', 'city', '', []],
  ])('complete %s.%s from "%s" to %j', async (name, argument, value, values) => {
    await using served = await serve(lettersModule(), adapter);
    expect(await completionOf(served, name, argument, value)).toEqual({ values });
  });

  it('complete to 100 of many values, and report that there are more', async () => {
    await using served = await serve(lettersModule(), adapter);
    expect(await completionOf(served, 'order', 'many', 'v')).toEqual({
      values: many.slice(0, 100),
      total: 150,
      hasMore: true,
    });
    expect(await completionOf(served, 'order', 'many', 'v149')).toEqual({ values: ['v149'] });
  });

  it('are completed for those who may use the prompt', async () => {
    await using served = await serve(lettersModule(), adapter);
    const refused = await complete(served, ['guarded', 'size', 's']);
    expect([refused.status, refused.message.error.code]).toEqual([403, 403]);
    const invited = await complete(served, ['guarded', 'size', 's'], { 'x-invited': 'yes' });
    expect(invited.message.result['completion']).toEqual({ values: ['small'] });
    const unknown = await complete(served, ['scoped', 'size', 's']);
    expect([unknown.status, unknown.message.error.code]).toEqual([401, 401]);
  });

  it('are hidden with a prompt that is hidden', async () => {
    await using served = await serve(lettersModule({ auth: { refusals: 'conceal' } }), adapter);
    const hidden = await complete(served, ['guarded', 'size', 's']);
    const missing = await complete(served, ['nobody', 'size', 's']);
    expect([hidden.status, hidden.message.error.code, hidden.message.error.message]).toEqual([
      200,
      -32602,
      'Unknown prompt: guarded',
    ]);
    expect(missing.message.error.code).toBe(-32602);
  });

  it('obey the policy', async () => {
    class Nobody extends McpPolicy {
      decide(): boolean {
        return false;
      }
    }
    await using served = await serve(lettersModule({ auth: { policy: Nobody } }), adapter);
    expect((await complete(served, ['order', 'size', 's'])).message.error.code).toBe(403);
  });

  it('pass the guards of the app, as declared completions do', async () => {
    await using served = await serve(lettersModule(), adapter);
    expect((await complete(served, ['review', 'hushed', ''])).status).toBe(403);
  });

  it('make the server declare completions, also at run time', async () => {
    await using served = await serve(McpModule.forRoot({ name: 'empty', version: '1.0.0' }), adapter);
    const registry = served.app.get(McpRegistry);
    const capabilities = async (): Promise<unknown> =>
      (await served.send('server/discover')).message.result['capabilities'];
    const text = { type: 'object', properties: { size: { type: 'string' } } };
    const late = await registry.addPrompt({ name: 'late', description: 'Late', input: text }, () => 'late');
    expect(await capabilities()).not.toHaveProperty('completions');
    await late.update({ input: raw });
    expect(await capabilities()).toHaveProperty('completions', {});
    expect(await completionOf(served, 'late', 'size', 'l')).toEqual({ values: ['large'] });
    const own = await registry.addCompletion({ prompt: 'late', argument: 'size' }, () => ['own']);
    expect(await completionOf(served, 'late', 'size', 'l')).toEqual({ values: ['own'] });
    own.disable();
    expect(await completionOf(served, 'late', 'size', 'l')).toEqual({ values: [] });
    own.remove();
    expect(await completionOf(served, 'late', 'size', 'l')).toEqual({ values: ['large'] });
    await late.update({ input: text });
    expect(await capabilities()).not.toHaveProperty('completions');
    await late.update({ input: { type: 'object', properties: { size: { enum: ['small', 'large'] } } } });
    expect(await capabilities()).toHaveProperty('completions', {});
    late.disable();
    expect((await complete(served, ['late', 'size', 'l'])).message.error.code).toBe(-32602);
    late.remove();
    expect(await capabilities()).not.toHaveProperty('completions');
  });
});

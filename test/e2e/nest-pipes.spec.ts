import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  DefaultValuePipe,
  Injectable,
  Module,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  ValidationPipe,
  type DynamicModule,
  type PipeTransform,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { IsInt, IsObject, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { z } from 'zod';

import { Args, McpContext, McpModule, Prompt, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

class Order {
  @IsString() @MinLength(2) name!: string;
  @IsInt() @Min(1) @Max(9) count!: number;
  @IsOptional() @IsObject() payload?: object;
}

const zod = z.strictObject({
  name: z.string().min(2),
  count: z.int().min(1).max(9),
  payload: z.record(z.string(), z.unknown()).optional(),
});

const raw = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    payload: { type: 'object' },
  },
  required: ['name', 'count'],
  additionalProperties: false,
} as const;

class Question {
  @IsString() @MinLength(2) topic!: string;
}

/** The same arguments, declared in each way. */
@Injectable()
class Shop {
  @Tool({ description: 'd' })
  dto(order: Order, { meta }: McpContext): object {
    return Object.assign(order, { meta: meta['com.example/trace'] ?? null });
  }

  @Tool({ description: 'd', input: zod })
  zod(order: z.infer<typeof zod>, { meta }: McpContext): object {
    return { ...order, meta: meta['com.example/trace'] ?? null };
  }

  @Tool({ description: 'd', input: raw })
  raw(order: object, { meta }: McpContext): object {
    return { ...order, meta: meta['com.example/trace'] ?? null };
  }

  @Prompt({ description: 'd' })
  ask({ topic }: Question): string {
    return `About ${topic}`;
  }

  @Prompt({ description: 'd', input: z.strictObject({ topic: z.string().min(2) }) })
  ask_zod({ topic }: { topic: string }): string {
    return `About ${topic}`;
  }
}

const PIPES: Readonly<Record<string, ValidationPipeOptions | undefined>> = {
  'no ValidationPipe': undefined,
  'a plain ValidationPipe': {},
  whitelist: { whitelist: true },
  forbidNonWhitelisted: { whitelist: true, forbidNonWhitelisted: true },
  transform: { transform: true },
  'implicit conversion': {
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    transformOptions: { enableImplicitConversion: true },
  },
};

function shopWith(options: ValidationPipeOptions | undefined, provided: boolean): DynamicModule {
  @Module({})
  class ShopModule {}
  const pipe = { provide: APP_PIPE, useFactory: () => new ValidationPipe(options) };
  return {
    module: ShopModule,
    imports: [McpModule.forRoot({ name: 'shop', version: '1.0.0' })],
    providers: [Shop, ...(options !== undefined && provided ? [pipe] : [])],
  };
}

const FREE = { a: { b: 1 }, list: [1, 'x', null] };

const INPUTS: readonly (readonly [what: string, args: Record<string, unknown>, taken: boolean])[] = [
  ['what fits', { name: 'Ada', count: 5 }, true],
  ['the least', { name: 'Ad', count: 1 }, true],
  ['the most', { name: 'Ad', count: 9 }, true],
  ['a free-form object', { name: 'Ada', count: 5, payload: FREE }, true],
  ['an empty object', { name: 'Ada', count: 5, payload: {} }, true],
  ['nothing', {}, false],
  ['a missing member', { name: 'Ada' }, false],
  ['too little', { name: 'Ada', count: 0 }, false],
  ['too much', { name: 'Ada', count: 10 }, false],
  ['a fraction', { name: 'Ada', count: 1.5 }, false],
  ['an integer in a string', { name: 'Ada', count: '5' }, false],
  ['a truth for an integer', { name: 'Ada', count: true }, false],
  ['a list for an integer', { name: 'Ada', count: [5] }, false],
  ['null for an integer', { name: 'Ada', count: null }, false],
  ['a number for a string', { name: 12, count: 5 }, false],
  ['a short string', { name: 'A', count: 5 }, false],
  ['an object in a string', { name: 'Ada', count: 5, payload: '{"a":1}' }, false],
  ['a list for an object', { name: 'Ada', count: 5, payload: [] }, false],
  ['an undeclared member', { name: 'Ada', count: 5, extra: 1 }, false],
];

const PROMPTS: readonly (readonly [what: string, args: Record<string, unknown>, taken: boolean])[] = [
  ['what fits', { topic: 'tea' }, true],
  ['a missing argument', {}, false],
  ['a short one', { topic: 't' }, false],
  ['a number', { topic: 12 }, false],
  ['an undeclared one', { topic: 'tea', extra: 'x' }, false],
];

describe.each(ADAPTERS)('one verdict on $name', (adapter) => {
  describe.each(Object.entries(PIPES))('with %s', (_pipe, options) => {
    describe.each([true, false])('as APP_PIPE: %j', (provided) => {
      const shared = shareApp(shopWith(options, provided), adapter, {
        configure: (app) => {
          if (options !== undefined && !provided) app.useGlobalPipes(new ValidationPipe(options));
        },
      });

      it.each(INPUTS)('about %s, in every form of declaration', async (_what, args, taken) => {
        const wanted = taken ? { structuredContent: { ...args, meta: 'kept' } } : { isError: true };
        for (const tool of ['dto', 'zod', 'raw']) {
          const { status, message } = await shared.app.call(tool, args, { meta: { 'com.example/trace': 'kept' } });
          expect(status).toBe(200);
          expect(message.result).toMatchObject(wanted);
        }
        expect(shared.log.texts('error')).toEqual([]);
      });

      it.each(PROMPTS)('about %s of a prompt, in every form of declaration', async (_what, args, taken) => {
        const wanted = taken
          ? { result: { messages: [{ content: { text: 'About tea' } }] } }
          : { error: { code: -32602 } };
        for (const name of ['ask', 'ask_zod']) {
          const { message } = await shared.app.send('prompts/get', { name, arguments: args });
          expect(message).toMatchObject(wanted);
        }
      });

      it('about null as each advertises it: a DTO takes it where its rules let it pass', async () => {
        const answers: unknown[] = [];
        for (const tool of ['dto', 'zod', 'raw']) {
          const { message } = await shared.app.call(tool, { name: 'Ada', count: 5, payload: null });
          answers.push(message.result.isError ?? false);
        }
        expect(answers).toEqual([false, true, true]);
      });
    });
  });
});

enum Size {
  Small = 'S',
  Large = 'L',
}

@Injectable()
class EvenPipe implements PipeTransform<number, number> {
  transform(value: number): number {
    if (value % 2 !== 0) throw new BadRequestException('An even number, please');
    return value;
  }
}

const open = { type: 'object', properties: { value: { type: ['string', 'array'] } } } as const;
const ID = '5f9d5f6c-6e0b-4c55-9f7c-1d0f0a4a2b11';

/** A pipe for one parameter, as controllers have it. */
@Injectable()
class Piped {
  @Tool({ description: 'd', input: open })
  int(@Args('value', ParseIntPipe) value: number): object {
    return { value };
  }

  @Tool({ description: 'd', input: open })
  even(@Args('value', ParseIntPipe, EvenPipe) value: number): object {
    return { value };
  }

  @Tool({ description: 'd', input: open })
  bool(@Args('value', ParseBoolPipe) value: boolean): object {
    return { value };
  }

  @Tool({ description: 'd', input: open })
  uuid(@Args('value', new ParseUUIDPipe({ version: '4' })) value: string): object {
    return { value };
  }

  @Tool({ description: 'd', input: open })
  size(@Args('value', new ParseEnumPipe(Size)) value: Size): object {
    return { value };
  }

  @Tool({ description: 'd', input: open })
  list(@Args('value', new ParseArrayPipe({ items: Number })) value: number[]): object {
    return { value };
  }

  @Tool({ description: 'd', input: open })
  initial(@Args('value', new DefaultValuePipe('7'), ParseIntPipe) value: number): object {
    return { value };
  }

  @Prompt({ description: 'd', input: { type: 'object', properties: { value: { type: 'string' } } } })
  counted(@Args('value', ParseIntPipe) value: number): string {
    return `${value + 1}`;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'piped', version: '1.0.0' })], providers: [Piped] })
class PipedModule {}

describe.each(ADAPTERS)('a pipe of a parameter on $name', (adapter) => {
  const shared = shareApp(PipedModule, adapter);

  it.each([
    ['int', '12', 12],
    ['even', '12', 12],
    ['bool', 'true', true],
    ['uuid', ID, ID],
    ['size', 'L', 'L'],
    ['list', '1,2', [1, 2]],
    ['initial', undefined, 7],
  ])('changes the value: %s', async (tool, value, expected) => {
    const { message } = await shared.app.call(tool, value === undefined ? {} : { value });
    expect(message.result.structuredContent).toEqual({ value: expected });
  });

  it.each([
    ['int', 'twelve', 'numeric string is expected'],
    ['even', '13', 'An even number, please'],
    ['bool', 'maybe', 'boolean string is expected'],
    ['uuid', 'x', 'uuid'],
    ['size', 'M', 'enum string is expected'],
  ])('refuses in words for the model: %s', async (tool, value, words) => {
    const { message, text } = await shared.app.call(tool, { value });
    expect(message.result.isError).toBe(true);
    expect(text).toContain(words);
  });

  it('refuses an argument of a prompt with -32602', async () => {
    const asked = async (value: string) =>
      (await shared.app.send('prompts/get', { name: 'counted', arguments: { value } })).message;
    expect((await asked('12')).result.messages).toMatchObject([{ content: { text: '13' } }]);
    expect((await asked('twelve')).error).toMatchObject({
      code: -32602,
      message: 'Validation failed (numeric string is expected)',
    });
  });

  it('never gets arguments that the schema refuses', async () => {
    await using app = await serve(PipedModule, adapter);
    const { message, text } = await app.call('int', { value: 12 });
    expect(message.result.isError).toBe(true);
    expect(text).toContain('value');
    expect(text).not.toContain('numeric string');
  });
});

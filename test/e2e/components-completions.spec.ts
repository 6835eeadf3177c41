import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, NotFoundException } from '@nestjs/common';

import { Args, Completion, McpContext, McpModule, Prompt, Resource, type CompletionQuery } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { referenceOf } from '../support/reference.js';
import { shareApp } from '../support/shared-app.js';
import type { Answer, ServedApp } from '../support/served-app.js';

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `v${index}`);

const texts = (...names: string[]): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

const ANSWERS: Readonly<Record<string, readonly [returned: unknown, completion: object]>> = {
  values: [['a', 'b'], { values: ['a', 'b'] }],
  none: [[], { values: [] }],
  undefined: [undefined, { values: [] }],
  full: [
    { values: ['a'], total: 7, hasMore: true },
    { values: ['a'], total: 7, hasMore: true },
  ],
  hundred: [many(100), { values: many(100) }],
  'one more': [many(101), { values: many(100), total: 101, hasMore: true }],
  many: [many(150), { values: many(100), total: 150, hasMore: true }],
  'many of more': [
    { values: many(101), total: 5000 },
    { values: many(100), total: 5000, hasMore: true },
  ],
};

const IMPOSSIBLE: Readonly<Record<string, unknown>> = {
  'total too small': { values: ['a', 'b'], total: 1 },
  'hasMore no boolean': { values: [], hasMore: 'yes' },
  'numbers as values': [1, 2],
  'a string': 'secret',
  'other members': { values: [], secret: 1 },
  null: null,
};

@Injectable()
class Suggestions {
  @Prompt({ description: 'A trip', input: texts('from', 'to', 'table', 'text', 'fail', 'free') })
  trip(): string {
    return 'trip';
  }

  @Prompt({ description: 'No arguments' })
  plain(): string {
    return 'plain';
  }

  @Resource({ uri: 'city://{country}/{city}', description: 'A city' })
  city(): string {
    return 'city';
  }

  @Completion({ prompt: 'trip', argument: 'from' })
  from({ value, context }: CompletionQuery): string[] {
    return [`${value} after ${JSON.stringify(context)}`];
  }

  @Completion({ prompt: 'trip', argument: 'text' })
  text(value: string, context: McpContext): string[] {
    return [`${value}!`, typeof value, String(context.requestId)];
  }

  @Completion({ prompt: 'trip', argument: 'to' })
  async to(@Args('value') value: string): Promise<string[]> {
    await Promise.resolve();
    return [value];
  }

  @Completion({ prompt: 'trip', argument: 'table' })
  table(value: string): unknown {
    return value in ANSWERS ? ANSWERS[value]?.[0] : IMPOSSIBLE[value];
  }

  @Completion({ prompt: 'trip', argument: 'fail' })
  fail(value: string): string[] {
    throw value === 'missing' ? new NotFoundException('No such list') : new Error('secret');
  }

  @Completion({ resource: 'city://{country}/{city}', argument: 'city' })
  cities({ value, context }: CompletionQuery): string[] {
    return [value, context['country'] ?? ''];
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'suggestions', version: '1.0.0' })], providers: [Suggestions] })
class SuggestionsModule {}

const TRIP = { type: 'ref/prompt', name: 'trip' };
const CITY = { type: 'ref/resource', uri: 'city://{country}/{city}' };

const complete = (app: ServedApp, ref: object, name: string, value: string, context?: object): Promise<Answer> =>
  app.send('completion/complete', {
    ref,
    argument: { name, value },
    ...(context === undefined ? {} : { context: { arguments: context } }),
  });

describe.each(ADAPTERS)('completions on $name', (adapter) => {
  const served = shareApp(SuggestionsModule, adapter);

  it.each(Object.entries(ANSWERS))('answers %s', async (what, [, expected]) => {
    const { app } = served;
    expect((await complete(app, TRIP, 'table', what)).message.result.completion).toEqual(expected);
  });

  it.each(Object.keys(IMPOSSIBLE))('answers %s with an internal error', async (what) => {
    const { app, log } = served;
    const { message, text } = await complete(app, TRIP, 'table', what);
    expect(message.error.code).toBe(-32603);
    expect(text).not.toContain('secret');
    expect(log.texts('error')).toEqual([expect.stringContaining(`Suggestions.table failed [${referenceOf(message)}]`)]);
  });

  it('hands over a query, the text alone, or one of both by name', async () => {
    const { app } = served;
    const valuesOf = async (name: string, context?: object): Promise<unknown> =>
      (await complete(app, TRIP, name, 'Be', context)).message.result.completion?.['values'];
    expect(await valuesOf('from', { to: 'Rome' })).toEqual(['Be after {"to":"Rome"}']);
    expect(await valuesOf('from')).toEqual(['Be after {}']);
    expect(await valuesOf('text')).toEqual(['Be!', 'string', '1']);
    expect(await valuesOf('to')).toEqual(['Be']);
  });

  it('completes variables of templates, with the values chosen before', async () => {
    const { app } = served;
    const { message } = await complete(app, CITY, 'city', 'Ro', { country: 'it' });
    expect(message.result.completion).toEqual({ values: ['Ro', 'it'] });
  });

  it('returns no values for an argument without a completion', async () => {
    const { app } = served;
    expect((await complete(app, TRIP, 'free', 'x')).message.result.completion).toEqual({ values: [] });
    expect((await complete(app, CITY, 'country', 'x')).message.result.completion).toEqual({ values: [] });
  });

  it.each([
    ['an unknown prompt', { type: 'ref/prompt', name: 'nobody' }, 'a', undefined],
    ['an unknown template', { type: 'ref/resource', uri: 'city://{other}' }, 'a', undefined],
    ['an unknown kind of reference', { type: 'ref/tool', name: 'trip' }, 'from', undefined],
    ['an unknown argument', TRIP, 'nothing', undefined],
    ['an argument of a prompt without any', { type: 'ref/prompt', name: 'plain' }, 'a', undefined],
    ['an unknown variable', CITY, 'planet', undefined],
    ['an undeclared argument in the context', TRIP, 'from', { planet: 'mars' }],
    ['a context that is not of strings', TRIP, 'from', { to: 5 }],
  ])('answers %s with -32602', async (_what, ref, argument, context) => {
    const { app } = served;
    const { message, status } = await complete(app, ref, argument, 'x', context);
    expect(status).toBe(200);
    expect(message.error.code).toBe(-32602);
  });

  it('returns the error message of the handler, and no internal error', async () => {
    const { app } = served;
    const missing = await complete(app, TRIP, 'fail', 'missing');
    expect(missing.message.error).toEqual({ code: -32602, message: 'No such list' });
    const failed = await complete(app, TRIP, 'fail', 'x');
    expect(failed.message.error.code).toBe(-32603);
    expect(failed.text).not.toContain('secret');
  });
});

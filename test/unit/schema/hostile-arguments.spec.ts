import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Type } from 'class-transformer';
import {
  ArrayUnique,
  IsAscii,
  IsInt,
  IsOptional,
  IsString,
  registerDecorator,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import type { SchemaVerdict } from '../../../lib/schema/component-schema.js';
import { MAX_LIBRARY_VALUES, TOO_MUCH } from '../../../lib/schema/json-schema/json-schema.work.js';
import type { StandardSource } from '../../../lib/schema/schema-source.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import { cpuCostOf } from '../../support/cpu-cost.js';

const resolver = new SchemaResolver();

/** A schema of a library that counts how often the library itself is asked. */
function counted(source: StandardSource) {
  let asked = 0;
  const standard = source['~standard'];
  const validate = (value: unknown) => {
    asked += 1;
    return standard.validate(value);
  };
  return { source: { '~standard': { ...standard, validate } }, asked: () => asked };
}

const wordsOf = (verdict: SchemaVerdict): string[] =>
  verdict.ok ? [] : verdict.issues.map(({ path, message }) => `${path}: ${message}`);
const judge = async (source: unknown, value: unknown) => (await resolver.resolve(source, 'input')).validate(value);
const issuesOf = async (source: unknown, value: unknown) => wordsOf(await judge(source, value));

const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const membersOf = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
const kinds = ['a', 'b', 'c', 'd'] as const;
const both = { a: z.string(), b: z.string() };

type Source = StandardSource;
const LISTS: readonly [string, Source][] = [
  ['zod', z.object({ items: z.array(z.object(both)) })],
  ['zod, closed', z.strictObject({ items: z.array(z.strictObject(both)) })],
  ['zod, a union', z.object({ items: z.array(z.union(kinds.map((kind) => z.object({ [kind]: z.string() })))) })],
  ['zod, with refinements', z.object({ items: z.array(z.object(both).refine(() => false)) })],
  ['valibot', toStandardJsonSchema(v.object({ items: v.array(v.object({ a: v.string(), b: v.string() })) }))],
  [
    'valibot, a variant',
    toStandardJsonSchema(
      v.object({ items: v.array(v.variant('k', [v.object({ k: v.literal(1) }), v.object({ k: v.literal(2) })])) }),
    ),
  ],
  ['arktype', type({ items: type({ a: 'string', b: 'string' }).array() })],
];

describe('a large value that the advertised schema rules out', () => {
  it.each(LISTS)('is not gone through by the library: %s', async (_name, schema) => {
    const { source, asked } = counted(schema);
    const issues = await issuesOf(source, { items: many(5_000, {}) });
    expect(asked()).toBe(0);
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.length).toBeLessThanOrEqual(10);
    expect(issues[0]).toMatch(/^items\[0\]: must have required property '[abk]'$/);
  });

  it.each<[string, Source]>([
    ['zod', z.strictObject({ a: z.string().optional() })],
    ['valibot', toStandardJsonSchema(v.strictObject({ a: v.optional(v.string()) }))],
    ['arktype', type({ 'a?': 'string', '+': 'reject' })],
  ])('may have too many members: %s', async (_name, schema) => {
    const { source, asked } = counted(schema);
    expect(await issuesOf(source, membersOf(5_000))).toEqual([": must not have the property 'k0'"]);
    expect(asked()).toBe(0);
  });

  it.each(LISTS)('reaches the library if it is small: %s', async (_name, schema) => {
    const { source, asked } = counted(schema);
    expect(await issuesOf(source, { items: [{}] })).not.toEqual([]);
    expect(asked()).toBe(1);
  });

  it('is not gone through when a small one has a breach for each branch of a union', async () => {
    const branches = Array.from({ length: 40 }, (_, index) => z.object({ [`k${index}`]: z.string() }));
    const { source, asked } = counted(z.object({ items: z.array(z.union(branches)) }));
    expect((await issuesOf(source, { items: many(1_900, {}) }))[0]).toMatch(/^items\[0\]: must have required/);
    expect(asked()).toBe(0);
  });
});

describe('a value that the advertised schema admits', () => {
  const list = (item: z.ZodType) => z.object({ items: z.array(item) });

  it.each<[string, Source, (count: number) => object]>([
    ['zod', list(z.number()), (count) => ({ items: many(count, 0) })],
    ['zod, items of any kind', list(z.any().refine(() => true)), (count) => ({ items: many(count, 0) })],
    [
      'zod, the names and members of a record',
      z.record(z.string(), z.number()),
      (count) => membersOf(Math.ceil(count / 2)),
    ],
    ['zod, a record of anything', z.record(z.string(), z.unknown()), (count) => membersOf(Math.ceil(count / 2))],
    ['zod, any members', z.looseObject({}), membersOf],
    ['valibot', toStandardJsonSchema(v.object({ items: v.array(v.any()) })), (count) => ({ items: many(count, 0) })],
    ['arktype', type({ items: 'number[]' }), (count) => ({ items: many(count, 0) })],
  ])('goes to a library up to so many items and members: %s', async (_name, schema, valueOf) => {
    const { source, asked } = counted(schema);
    expect(await judge(source, valueOf(MAX_LIBRARY_VALUES))).toMatchObject({ ok: true });
    expect(asked()).toBe(1);
    expect(await issuesOf(source, valueOf(MAX_LIBRARY_VALUES + 1))).toEqual([
      expect.stringMatching(new RegExp(`^(items)?: ${TOO_MUCH}$`)),
    ]);
    expect(asked()).toBe(1);
  });

  it('is not limited by members that a schema of a library does not look at', async () => {
    expect(await judge(z.object({ a: z.string().optional() }), membersOf(MAX_LIBRARY_VALUES + 1))).toEqual({
      ok: true,
      value: {},
    });
  });

  it('has a higher limit if no library checks it', async () => {
    class Line {
      @IsInt() n!: number;
    }
    class Lines {
      @IsAscii() name!: string;
      @ValidateNested({ each: true }) @Type(() => Line) items!: Line[];
    }
    const items = many(MAX_LIBRARY_VALUES + 1, { n: 1 });
    expect(await judge(Lines, { name: 'x', items })).toMatchObject({ ok: true });
    const plain = { type: 'object', properties: { items: { items: { required: ['n'] } } } };
    expect(await judge(plain, { items })).toMatchObject({ ok: true });
  });

  it('is not limited when the app itself returns it', async () => {
    const output = await resolver.resolve(z.array(z.number()), 'output');
    expect(output.validate(many(MAX_LIBRARY_VALUES + 1, 0))).toMatchObject({ ok: true });
  });
});

describe('branches that lead to each other', () => {
  const DEPTH = 60;
  const nest = (depth: number, leaf: object): object =>
    depth === 0 ? leaf : { kids: [nest(depth - 1, leaf)], k: 'or' };
  const good = { e: nest(DEPTH, { k: 'leaf' }) };
  const bad = { e: nest(DEPTH, { k: 'other' }) };
  const member = (k: string, more: object) => ({
    type: 'object',
    properties: { ...more, k: { const: k } },
    required: ['k'],
  });
  const kids = { kids: { type: 'array', items: { $ref: '#/$defs/e' } } };
  const branches = [member('and', kids), member('or', kids), member('leaf', {})];
  const raw = (keyword: string) => ({
    type: 'object',
    properties: { e: { $ref: '#/$defs/e' } },
    $defs: { e: { [keyword]: branches } },
  });

  const zod = z.object({
    get e() {
      return expression;
    },
  });
  const expression: z.ZodType = z.lazy(() =>
    z.discriminatedUnion('k', [
      z.object({ k: z.literal('and'), kids: z.array(expression) }),
      z.object({ k: z.literal('or'), kids: z.array(expression) }),
      z.object({ k: z.literal('leaf') }),
    ]),
  );
  type Expression = v.GenericSchema;
  const options = (inner: Expression) =>
    [
      v.object({ k: v.literal('and'), kids: v.array(inner) }),
      v.object({ k: v.literal('or'), kids: v.array(inner) }),
      v.object({ k: v.literal('leaf') }),
    ] as const;
  const variant: Expression = v.lazy(() => v.variant('k', [...options(variant)]));
  const union: Expression = v.lazy(() => v.union([...options(union)]));
  const ark = type.module({
    root: { e: 'expression' },
    expression: 'and | or | leaf',
    and: { k: "'and'", kids: 'expression[]' },
    or: { k: "'or'", kids: 'expression[]' },
    leaf: { k: "'leaf'" },
  }).root;

  it.each<[string, unknown]>([
    ['zod', zod],
    ['arktype', ark],
    ['valibot, which tells them apart', toStandardJsonSchema(v.object({ e: variant }))],
  ])('are followed to any depth by a library that comes to each part once: %s', async (_name, source) => {
    expect(await judge(source, good)).toMatchObject({ ok: true });
    expect(await issuesOf(source, bad)).not.toEqual([]);
  });

  it.each<[string, unknown]>([
    ['anyOf', raw('anyOf')],
    ['oneOf', raw('oneOf')],
    ['valibot', toStandardJsonSchema(v.object({ e: union }))],
  ])('are given up where each level doubles the work: %s', async (_name, source) => {
    for (const value of [good, bad]) {
      expect(await issuesOf(source, value)).toEqual([expect.stringMatching(/^e\.kids.*: must hold fewer values/)]);
    }
    expect(await judge(source, { e: nest(6, { k: 'leaf' }) })).toMatchObject({ ok: true });
  });
});

describe('rules of class-validator', () => {
  /** A DTO class whose list is checked by a rule of its author, which counts how often it runs. */
  function counting(verdict: boolean | Promise<boolean>, each = false) {
    let runs = 0;
    class Item {
      @IsOptional() @IsString() a?: string;
    }
    class Args {
      @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
    }
    class Texts {
      @IsString({ each: true }) items!: string[];
    }
    const validate = (): boolean | Promise<boolean> => {
      runs += 1;
      return verdict;
    };
    registerDecorator({
      target: each ? Texts : Item,
      propertyName: each ? 'items' : 'a',
      name: 'own',
      async: verdict instanceof Promise,
      options: { each },
      validator: {
        validate,
        defaultMessage: ({ property }: ValidationArguments = {} as never) => `${property} is odd`,
      },
    });
    return { source: each ? Texts : Args, runs: () => runs };
  }

  it('stop at ten complaints', async () => {
    const { source, runs } = counting(false);
    const issues = await issuesOf(source, { items: many(5_000, { a: 'x' }) });
    expect(issues).toEqual(Array.from({ length: 10 }, (_, index) => `items[${index}].a: a is odd`));
    expect(runs()).toBe(10);
  });

  it('stop at the first item when they run on each', async () => {
    const { source, runs } = counting(false, true);
    expect(await issuesOf(source, { items: many(5_000, 'x') })).toEqual(['items: items is odd']);
    expect(runs()).toBe(1);
  });

  it.each<[string, boolean | Promise<boolean>, boolean]>([
    ['synchronous', true, false],
    ['synchronous, on each item', true, true],
    ['asynchronous', Promise.resolve(true), false],
    ['asynchronous, on each item', Promise.resolve(true), true],
  ])('run on so many values: %s', async (_name, verdict, each) => {
    const { source, runs } = counting(verdict, each);
    const item = each ? 'x' : { a: 'x' };
    // An object counts as well as its member.
    const most = each ? MAX_LIBRARY_VALUES : MAX_LIBRARY_VALUES / 2;
    expect(await judge(source, { items: many(most, item) })).toMatchObject({ ok: true });
    expect(runs()).toBe(most);
    expect((await issuesOf(source, { items: many(most + 1, item) })).join()).toContain(TOO_MUCH);
    expect(runs()).toBeLessThanOrEqual(2 * most);
  });

  it('that compare pairs of items are limited by the number of pairs', async () => {
    class Keyed {
      @ArrayUnique((item: { id: number }) => item.id) items!: object[];
    }
    const items = Array.from({ length: 100_000 }, (_, id) => ({ id }));
    expect(await issuesOf(Keyed, { items })).toEqual([`items: ${TOO_MUCH}`]);
    expect(await judge(Keyed, { items: items.slice(0, 1_000) })).toMatchObject({ ok: true });
  });

  it('with words of their own do not run once more on a long list', async () => {
    class Worded {
      @ArrayUnique({ message: 'twice!' }) items!: number[];
    }
    const numbers = Array.from({ length: 100_000 }, (_, index) => index);
    expect(await issuesOf(Worded, { items: [...numbers, 0] })).toEqual(['items: must not have equal items']);
    expect(await issuesOf(Worded, { items: [0, 0] })).toEqual(['items: twice!']);
  });
});

it('error messages are short, even if they list long names', async () => {
  const value = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`.padEnd(200, 'x'), 0]));
  const issues = await issuesOf(z.strictObject({ a: z.string().optional() }), value);
  expect(issues.join('').length).toBeLessThan(1_100);
});

// 16 times the size: 16 times the cost when linear, 256 times when quadratic.
it.each<[string, number, (count: number) => [schema: object, value: object]]>([
  [
    'values of an enum, which are not gone through for each item',
    6,
    (count) => [
      { properties: { items: { items: { enum: Array.from({ length: count }, (_, index) => `v${index}`) } } } },
      { items: many(20_000, `v${count - 1}`) },
    ],
  ],
  [
    'possible user names in front of a host',
    60,
    (count) => [{ properties: { s: { format: 'url' } } }, { s: `http://${':'.repeat(40 * count)}` }],
  ],
])('the cost does not multiply with the number of %s', async (_name, most, make) => {
  const costOf = async (count: number): Promise<number> => {
    const [schema, value] = make(count);
    const compiled = await resolver.resolve({ type: 'object', ...schema }, 'input');
    return cpuCostOf(() => void compiled.validate(value));
  };
  expect(await costOf(1_600)).toBeLessThan(Math.max(await costOf(100), 500) * most);
});

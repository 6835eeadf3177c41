import { describe, expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import type { SchemaDirection } from '../../../../lib/schema/component-schema.js';
import { SchemaResolver } from '../../../../lib/schema/schema.resolver.js';

const resolver = new SchemaResolver();
const jsonOf = async (source: unknown, direction: SchemaDirection = 'input') =>
  (await resolver.resolve(source, direction)).json;

async function judge(source: unknown, value: unknown, direction: SchemaDirection = 'input') {
  return (await resolver.resolve(source, direction)).validate(value);
}

async function issuesOf(source: unknown, value: unknown): Promise<string[]> {
  const verdict = await judge(source, value);
  return verdict.ok ? [] : verdict.issues.map(({ path, message }) => `${path}: ${message}`);
}

describe('zod', () => {
  it('shows both branches of a union beside an object root', async () => {
    const union = z.discriminatedUnion('op', [
      z.object({ op: z.literal('add'), a: z.int() }),
      z.object({ op: z.literal('del'), id: z.string() }),
    ]);
    const json = await jsonOf(union);
    expect(json).toMatchObject({ type: 'object', oneOf: [{ required: ['op', 'a'] }, { required: ['op', 'id'] }] });
    expect(await judge(union, { op: 'del', id: 'x' })).toEqual({ ok: true, value: { op: 'del', id: 'x' } });
    expect(await issuesOf(union, { op: 'add', id: 'x' })).not.toEqual([]);
    expect(await jsonOf(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]))).toMatchObject({
      type: 'object',
    });
  });

  it('advertises the input side of transforms, and runs refinements', async () => {
    const schema = z.object({ n: z.string().transform(Number) }).superRefine(({ n }, context) => {
      if (n > 5) context.addIssue({ code: 'custom', message: 'too much', path: ['n'] });
    });
    expect(await jsonOf(schema)).toMatchObject({ properties: { n: { type: 'string' } } });
    expect(await judge(schema, { n: '4' })).toEqual({ ok: true, value: { n: 4 } });
    expect(await issuesOf(schema, { n: '6' })).toEqual(['n: too much']);
  });

  it('waits for asynchronous refinements', async () => {
    const schema = z.object({ a: z.string().refine(async (text) => text === 'yes', 'not yes') });
    expect(await judge(schema, { a: 'yes' })).toMatchObject({ ok: true });
    expect(await issuesOf(schema, { a: 'no' })).toEqual(['a: not yes']);
  });

  it('does not require what has a default, and fills it in', async () => {
    const schema = z.object({ limit: z.number().int().default(10) });
    const json = await jsonOf(schema);
    expect(json).toMatchObject({ properties: { limit: { default: 10 } } });
    expect(json).not.toHaveProperty('required');
    expect(await judge(schema, {})).toEqual({ ok: true, value: { limit: 10 } });
    expect(await jsonOf(schema, 'output')).toMatchObject({ required: ['limit'] });
  });

  it('keeps descriptions and marks, and omits `$schema`', async () => {
    const json = await jsonOf(
      z.object({
        a: z.string().describe('before').optional(),
        b: z.string().optional().describe('after'),
        region: z.string().meta({ 'x-mcp-header': 'Region' }),
      }),
    );
    expect(json['properties']).toEqual({
      a: { type: 'string', description: 'before' },
      b: { type: 'string', description: 'after' },
      region: { type: 'string', 'x-mcp-header': 'Region' },
    });
    expect(json).not.toHaveProperty('$schema');
  });

  it.each([
    ['a closed object', z.strictObject({ a: z.string() }), { a: 'x', toolCallId: 'c1' }, false],
    ['a plain object, which is open', z.object({ a: z.string() }), { a: 'x', toolCallId: 'c1' }, true],
    ['a loose object', z.looseObject({ a: z.string() }), { a: 'x', more: 1 }, true],
    ['a record', z.record(z.string(), z.number()), { any: 1 }, true],
    ['a record of something else', z.record(z.string(), z.number()), { any: 'x' }, false],
    ['null for an optional member', z.object({ a: z.string().optional() }), { a: null }, false],
    ['null for a nullish member', z.object({ a: z.string().nullish() }), { a: null }, true],
    ['an array of anything', z.object({ a: z.array(z.any()) }), { a: [1, null] }, true],
    ['a time of day', z.object({ a: z.iso.time() }), { a: '10:00:00' }, true],
  ])('judges %s', async (_name, schema, value, ok) => {
    expect((await judge(schema, value)).ok).toBe(ok);
  });

  it('lets no coercion in that the schema does not show', async () => {
    expect(await issuesOf(z.object({ n: z.coerce.number() }), { n: '5' })).toEqual(['n: must be number']);
    expect(await issuesOf(z.object({ n: z.preprocess(Number, z.number()) }), { n: '5' })).toEqual([
      'n: must be number',
    ]);
  });

  it("uses the author's messages, without values in them", async () => {
    const schema = z.object({
      a: z.string({ error: 'say who' }),
      b: z.number().optional(),
      c: z.string().refine((text) => text === '', { error: ({ input }) => `no ${String(input)}` }),
    });
    expect(await issuesOf(schema, { b: 'x', c: 'hunter2' })).toEqual([
      'a: say who',
      'b: Invalid input: expected number, received string',
      'c: no the value',
    ]);
  });

  it('refers to itself locally', async () => {
    const node = z.object({
      label: z.string(),
      get kids() {
        return z.array(node).optional();
      },
    });
    expect(await issuesOf(node, { label: 'a', kids: [{ label: 5 }] })).toEqual([
      'kids[0].label: Invalid input: expected string, received number',
    ]);
    expect(await jsonOf(node.meta({ id: 'Node' }))).toMatchObject({ type: 'object', $ref: '#/$defs/Node' });
  });

  it.each<[string, z.ZodType]>([
    ['z.date()', z.object({ a: z.date() })],
    ['z.bigint()', z.object({ a: z.bigint() })],
    ['z.custom()', z.object({ a: z.custom() })],
    ['z.undefined()', z.object({ a: z.undefined() })],
    ['z.map()', z.object({ a: z.map(z.string(), z.string()) })],
  ])('refuses %s at boot', async (_name, schema) => {
    await expect(jsonOf(schema)).rejects.toThrow(
      /zod cannot express the input side as JSON Schema \(.*cannot be represented.*\)\. Use/,
    );
  });

  it.each<[string, z.ZodType]>([
    ['a string', z.string()],
    ['an object or null', z.object({}).nullable()],
    ['an object or a string', z.union([z.object({}), z.string()])],
  ])('refuses %s as the root of an input', async (_name, schema) => {
    await expect(jsonOf(schema)).rejects.toThrow(/must be of type "object"/);
    await expect(jsonOf(schema, 'output')).resolves.toBeDefined();
  });

  it('sends the parsed value, without members that the schema does not declare', async () => {
    expect(await judge(z.object({ a: z.number() }), { a: 1, secret: 2 }, 'output')).toEqual({
      ok: true,
      value: { a: 1 },
    });
    expect(await judge(z.object({ a: z.number().default(3) }), {}, 'output')).toEqual({ ok: true, value: { a: 3 } });
    expect(await judge(z.object({ a: z.number() }), { a: 'x' }, 'output')).toMatchObject({ ok: false });
    const dated = z.object({
      at: z
        .date()
        .transform((date) => date.toISOString())
        .pipe(z.string()),
    });
    expect(await judge(dated, { at: new Date(0) }, 'output')).toEqual({
      ok: true,
      value: { at: '1970-01-01T00:00:00.000Z' },
    });
  });

  it('sends nothing that breaks the advertised output', async () => {
    const schema = z.object({ n: z.any().overwrite(() => Number.NaN) });
    expect(await judge(schema, { n: 1 }, 'output')).toMatchObject({ ok: false, issues: [{ path: 'n' }] });
  });
});

describe('valibot', () => {
  it('refuses a bare schema at boot, with the cure', async () => {
    await expect(jsonOf(v.object({ a: v.string() }))).rejects.toThrow(
      /valibot schema cannot.*`toStandardJsonSchema\(schema\)` of `@valibot\/to-json-schema`/,
    );
  });

  it('works once wrapped', async () => {
    const schema = toStandardJsonSchema(
      v.strictObject({ a: v.pipe(v.string(), v.minLength(2)), b: v.optional(v.number(), 3) }),
    );
    expect(await jsonOf(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 }, b: { type: 'number', default: 3 } },
      required: ['a'],
      additionalProperties: false,
    });
    expect(await judge(schema, { a: 'xy' })).toEqual({ ok: true, value: { a: 'xy', b: 3 } });
  });

  it('writes issues without the received value', async () => {
    const schema = toStandardJsonSchema(
      v.strictObject({ a: v.picklist(['x', 'y']), b: v.pipe(v.string(), v.email()) }),
    );
    expect(await issuesOf(schema, { a: 'hunter2 but received "', b: 'hunter3' })).toEqual([
      'a: Invalid type: Expected ("x" | "y")',
      'b: Invalid email',
    ]);
    expect(await issuesOf(schema, { a: 1_234_567, b: 'a@b.co' })).toEqual(['a: Invalid type: Expected ("x" | "y")']);
  });

  it('checks ISO times by its own rule', async () => {
    const schema = toStandardJsonSchema(v.object({ t: v.pipe(v.string(), v.isoTime()) }));
    expect((await judge(schema, { t: '10:30' })).ok).toBe(true);
    expect((await judge(schema, { t: 'noon' })).ok).toBe(false);
  });

  it.each([
    ['dates', toStandardJsonSchema(v.object({ a: v.date() }))],
    [
      'checks',
      toStandardJsonSchema(
        v.object({
          a: v.pipe(
            v.string(),
            v.check(() => true),
          ),
        }),
      ),
    ],
  ])('refuses %s at boot', async (_name, schema) => {
    await expect(jsonOf(schema)).rejects.toThrow(/valibot cannot express/);
  });
});

describe('arktype', () => {
  it('takes its schemas, which are functions', async () => {
    const schema = type({ a: 'string >= 2', 'n?': 'number.integer', '+': 'reject' });
    expect(typeof schema).toBe('function');
    expect(await jsonOf(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 }, n: { type: 'integer' } },
      required: ['a'],
      additionalProperties: false,
    });
    expect(await judge(schema, { a: 'xy' })).toEqual({ ok: true, value: { a: 'xy' } });
  });

  it('adds an object root to unions and to recursion', async () => {
    expect(await jsonOf(type({ a: 'string' }).or({ b: 'number' }))).toMatchObject({ type: 'object', anyOf: [{}, {}] });
    const { node } = type.module({ node: { v: 'string', 'kids?': 'node[]' } });
    expect(await jsonOf(node)).toMatchObject({ type: 'object' });
    expect((await judge(node, { v: 'a', kids: [{ v: 5 }] })).ok).toBe(false);
  });

  it('writes issues without the received value', async () => {
    const schema = type({ a: 'string', n: 'number<3' });
    expect(await issuesOf(schema, { a: 5, n: 777_777 })).toEqual(['a: must be a string', 'n: must be less than 3']);
    const narrowed = type({ a: type('string').narrow((text, context) => text === 'x' || context.mustBe('the x')) });
    expect(await issuesOf(narrowed, { a: 'secret (was "' })).toEqual(['a: must be the x']);
    expect((await issuesOf(type({ a: 'string' }).or({ b: 'number' }), { a: 5, b: 'hunter2' })).join()).not.toMatch(
      /hunter2|was/,
    );
  });

  it('transforms', async () => {
    expect(await judge(type({ n: 'string.numeric.parse' }), { n: '12' })).toEqual({ ok: true, value: { n: 12 } });
  });

  it.each([
    ['Date', type({ a: 'Date' })],
    ['bigint', type({ a: 'bigint' })],
    ['undefined', type({ a: 'undefined' })],
  ])('refuses %s at boot instead of advertising anything', async (_name, schema) => {
    await expect(jsonOf(schema)).rejects.toThrow(/arktype cannot express/);
  });
});

it('refuses a Standard Schema of a library without JSON Schema', async () => {
  const bare = { '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }) } };
  await expect(jsonOf(bare)).rejects.toThrow(/the other schema cannot be turned into JSON Schema/);
});

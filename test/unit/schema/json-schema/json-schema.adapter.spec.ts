import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { SchemaIssue } from '../../../../lib/schema/component-schema.js';
import { JsonSchemaCompiler } from '../../../../lib/schema/json-schema/json-schema.compiler.js';
import {
  MAX_SCHEMA_CHARACTERS,
  MAX_SCHEMA_DEPTH,
  MAX_SUBSCHEMAS,
} from '../../../../lib/schema/json-schema/json-schema.limits.js';
import { SchemaResolver } from '../../../../lib/schema/schema.resolver.js';

const resolver = new SchemaResolver();
const resolve = (source: unknown) => resolver.resolve(source, 'input');
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

async function issuesOf(source: unknown, value: unknown): Promise<string[]> {
  const verdict = await (await resolve(source)).validate(value);
  return verdict.ok ? [] : verdict.issues.map(({ path, message }: SchemaIssue) => `${path}: ${message}`);
}

describe('a raw JSON Schema', () => {
  const RICH = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.com/order',
    type: 'object',
    title: 'Order',
    $defs: {
      line: {
        $anchor: 'line',
        type: 'object',
        properties: { sku: { type: 'string' }, count: { type: 'integer' } },
        required: ['sku'],
      },
      never: false,
    },
    properties: {
      lines: { type: 'array', items: { $ref: '#line' }, maxItems: 3 },
      same: { $ref: '#/$defs/line/properties/sku' },
      absolute: { $ref: 'https://example.com/order#/$defs/line' },
      free: true,
      none: { $ref: '#/$defs/never' },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      'x-odd': { type: 'string', 'x-vendor': { deep: [1] }, format: 'x-unknown', examples: [{ $ref: 'nowhere' }] },
    },
    allOf: [{ if: { required: ['same'] }, then: { required: ['lines'] }, else: true }],
    dependentRequired: { pair: ['free'] },
    unevaluatedProperties: false,
  };

  it('is advertised unchanged, as a frozen copy', async () => {
    const before = JSON.stringify(RICH);
    const { json } = await resolve(RICH);
    expect(JSON.stringify(json)).toBe(before);
    expect(JSON.stringify(RICH)).toBe(before);
    expect(json).not.toBe(RICH);
    expect(Object.isFrozen(json['properties'])).toBe(true);
    expect(Object.isFrozen(RICH.properties)).toBe(false);
  });

  it.each<[object, string[]]>([
    [{ lines: [{ sku: 'a' }], free: null }, []],
    [{ lines: [{ sku: 5 }] }, ['lines[0].sku: must be string']],
    [{ lines: [{ sku: 'a', count: 1.5 }] }, ['lines[0].count: must be integer']],
    [{ lines: [{}] }, ["lines[0]: must have required property 'sku'"]],
    [{ absolute: { sku: 1 } }, ['absolute.sku: must be string']],
    [{ none: 1 }, ['none: must not be present']],
    [{ pair: ['a', 1, 2] }, ['pair: must NOT have more than 2 items', ": must have required property 'free'"]],
    [{ other: 1 }, [": must not have the property 'other'"]],
    [{ 'x-odd': 5 }, ['["x-odd"]: must be string']],
    [{ lines: [{ sku: 'a' }], 'x-odd': 'anything' }, []],
  ])('judges %j', async (value, issues) => {
    expect(await issuesOf(RICH, value)).toEqual(issues);
  });

  it('may be used twice, with its `$id`, on one resolver', async () => {
    await resolve(RICH);
    const inner = object({ a: { $id: 'inner', type: 'string' }, b: { $ref: 'inner' } });
    const other = object({ a: { $id: 'inner', type: 'number' }, b: { $ref: 'inner' } });
    expect(await issuesOf(inner, { a: 'x', b: 1 })).toEqual(['b: must be string']);
    expect(await issuesOf(other, { a: 1, b: 'x' })).toEqual(['b: must be number']);
  });

  it('neither converts nor fills in', async () => {
    const schema = await resolve(object({ n: { type: 'integer', default: 5 }, s: { type: 'string' } }));
    const value = { s: 'x' };
    expect(await schema.validate(value)).toEqual({ ok: true, value: { s: 'x' } });
    expect(await schema.validate({ n: '5' })).toMatchObject({ ok: false });
    expect(value).toEqual({ s: 'x' });
  });

  it('asserts known formats', async () => {
    const schema = object({ at: { type: 'string', format: 'date-time' } });
    expect(await issuesOf(schema, { at: 'soon' })).toEqual(['at: must match format "date-time"']);
    expect(await issuesOf(schema, { at: '2026-01-01T00:00:00Z' })).toEqual([]);
  });

  it('follows recursion within the document', async () => {
    const tree = object({ kids: { type: 'array', items: { $ref: '#' } } }, { additionalProperties: false });
    expect(await issuesOf(tree, { kids: [{ kids: [{ x: 1 }] }] })).toEqual([
      "kids[0].kids[0]: must not have the property 'x'",
    ]);
  });

  it('treats keywords that 2020-12 does not know as notes', async () => {
    const schema = object({ a: { type: 'string', nullable: true, id: 'x', $async: true } }, { $async: true });
    expect(await issuesOf(schema, { a: null })).toEqual(['a: must be string']);
    expect(await issuesOf(schema, { a: 'x' })).toEqual([]);
  });

  it('reads a name from the prototype as absent', async () => {
    const schema = object({ constructor: { type: 'string' } }, { required: ['toString'] });
    expect(await issuesOf(schema, {})).toEqual([": must have required property 'toString'"]);
  });

  it('compares numbers as written and items by content', async () => {
    const schema = object({ price: { multipleOf: 0.01 }, set: { uniqueItems: true } });
    expect(await issuesOf(schema, { price: 19.99, set: [1, '1', true, [1]] })).toEqual([]);
    expect(await issuesOf(schema, { price: 19.999 })).toEqual(['price: must be a multiple of 0.01']);
    expect(
      await issuesOf(schema, {
        set: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      }),
    ).toEqual(['set: must not have equal items']);
  });

  it('takes patterns that need Unicode mode, and those that it forbids', async () => {
    const schema = object({ u: { pattern: String.raw`^\p{L}$` }, old: { pattern: String.raw`^[\w-.]$` } });
    expect(await issuesOf(schema, { u: 'é', old: '-' })).toEqual([]);
    expect(await issuesOf(schema, { u: '1', old: '%' })).toHaveLength(2);
  });
});

describe('issues', () => {
  const closed = object(
    { secret: { type: 'integer', enum: [1, 2] }, mail: { type: 'string', format: 'email', maxLength: 3 } },
    { additionalProperties: false },
  );

  it('never hold the value', async () => {
    for (const value of [{ secret: 'hunter2hunter2' }, { mail: 'hunter2hunter2' }, { secret: 770077 }]) {
      expect((await issuesOf(closed, value)).join()).not.toMatch(/hunter2|770077/);
    }
  });

  it('name all that is wrong with a small value, at most ten', async () => {
    expect(await issuesOf(closed, { secret: 'x', mail: 5, more: 1 })).toHaveLength(4);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]));
    expect(await issuesOf(closed, many)).toHaveLength(10);
  });

  it('are not kept for items that nothing asks for', async () => {
    const compiler = await JsonSchemaCompiler.create();
    const check = compiler.compile({ type: 'array', contains: { type: 'object', required: ['id'] } });
    expect(check(Array.from({ length: 10_000 }, (_, id) => ({ no: id }))).errors).toHaveLength(1);
    expect(check([{}, { id: 1 }]).errors).toEqual([]);
    const few = compiler.compile({ contains: { type: 'string' }, minContains: 2, maxContains: 3 });
    expect([1, 2, 3, 4].map((count) => few([0, ...Array<string>(count).fill('x')]).errors.length)).toEqual([
      1, 0, 0, 1,
    ]);
  });

  it('do not change what an item counts for that something asks for', async () => {
    const list = { type: 'array', prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false };
    expect(await issuesOf(object({ list }), { list: [1, 'x'] })).toEqual([]);
    const nested = {
      contains: { anyOf: [{ const: 1 }, { type: 'array', contains: { uniqueItems: true, type: 'array' } }] },
    };
    expect(await issuesOf(object({ nested }), { nested: [2, [[1, 1]]] })).toHaveLength(1);
    expect(await issuesOf(object({ nested }), { nested: [2, [[1, 2]]] })).toEqual([]);
  });

  it('are the same for a long list of allowed values', async () => {
    const values = [...Array.from({ length: 40 }, (_, index) => `v${index}`), 5, null, true];
    const schema = object({ a: { enum: values }, b: { enum: [...values, { x: 1 }] } });
    expect(await issuesOf(schema, { a: 'v39', b: { x: 1 } })).toEqual([]);
    expect(await issuesOf(schema, { a: 5, b: null })).toEqual([]);
    expect(await issuesOf(schema, { a: '5', b: 'v40' })).toEqual([
      'a: must be one of the allowed values',
      'b: must be one of the allowed values',
    ]);
  });

  it('cut long names', async () => {
    const [issue = ''] = await issuesOf(closed, { ['k'.repeat(10_000)]: 1 });
    expect(issue.length).toBeLessThan(200);
  });

  it('stay few and fast for a huge value', async () => {
    const item = { type: 'object', required: ['id'] };
    const schema = await resolve(object({ list: { type: 'array', items: item, uniqueItems: true } }));
    const ids = Array.from({ length: 60_000 }, (_, id) => ({ id }));
    const started = performance.now();
    const wrong = await schema.validate({ list: ids.map(() => ({})) });
    const equal = await schema.validate({ list: [...ids, { id: 59_999 }] });
    // Comparing pairs of items would take minutes.
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(wrong).toEqual({ ok: false, issues: [{ path: 'list[0]', message: "must have required property 'id'" }] });
    expect(equal).toEqual({ ok: false, issues: [{ path: 'list', message: 'must not have equal items' }] });
  }, 60_000);

  it('include a nesting that would exhaust the stack', async () => {
    const tree = await resolve(object({ kid: { $ref: '#' } }));
    let value: object = {};
    for (let depth = 0; depth < 100_000; depth += 1) value = { kid: value };
    expect(await tree.validate(value)).toMatchObject({
      ok: false,
      issues: [{ path: '', message: 'must not be nested this deeply' }],
    });
  });
});

describe('raw JSON Schemas that are refused at boot', () => {
  const nest = (depth: number): object => (depth === 0 ? {} : { not: nest(depth - 1) });

  it.each<[string, object, RegExp]>([
    [
      'another dialect',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
      /draft-07.*only JSON Schema 2020-12.*Leave/,
    ],
    ['a dialect inside', object({ a: { $schema: 'https://json-schema.org/draft/2019-09/schema' } }), /2019-09/],
    [
      'a reference to the network',
      object({ a: { $ref: 'https://example.com/other.json' } }),
      /does not lead to a schema of the same document.*Copy/,
    ],
    ['a reference to a file', object({ a: { $ref: 'other.json#/x' } }), /does not lead/],
    ['a reference to nowhere', object({ a: { $ref: '#/$defs/none' } }), /does not lead/],
    ['a reference to data', object({ a: { $ref: '#/default' } }, { default: { type: 'string' } }), /does not lead/],
    ['a dynamic reference to the network', object({ a: { $dynamicRef: 'https://example.com/x#y' } }), /does not lead/],
    ['a malformed reference', object({ a: { $ref: '#/%' } }), /is not a URI reference/],
    [
      'the name of a meta-schema',
      { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
      /takes the name of a meta-schema/,
    ],
    ['an `$id` used twice', object({ a: { $id: 'x' }, b: { $id: 'x' } }), /occurs twice/],
    ['an unknown type', object({ a: { type: 'text' } }), /not a valid JSON Schema 2020-12/],
    ['a list of items, as in older drafts', object({ a: { items: [{}] } }), /not a valid JSON Schema 2020-12/],
    ['a broken pattern', object({ a: { pattern: '(' } }), /not a valid JSON Schema 2020-12/],
    ['something else than JSON', object({ a: { const: 1n } }), /must not be a bigint \(at "properties.a.const"\)/],
    ['too deep a document', { type: 'object', ...nest(MAX_SCHEMA_DEPTH + 1) }, /nests deeper/],
    [
      'too many schemas',
      object(Object.fromEntries(Array.from({ length: MAX_SUBSCHEMAS }, (_, index) => [`p${index}`, true])), {
        allOf: Array.from({ length: MAX_SUBSCHEMAS }, () => ({})),
      }),
      /holds more than/,
    ],
    ['too long a document', { type: 'object', description: 'x'.repeat(MAX_SCHEMA_CHARACTERS) }, /is longer than/],
  ])('%s', async (_name, schema, reason) => {
    await expect(resolve(schema)).rejects.toThrow(reason);
    await expect(resolve(schema)).rejects.toMatchObject({ code: 'MCP_UNSUPPORTED_SCHEMA' });
  });

  it('a document that contains itself', async () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema['not'] = schema;
    await expect(resolve(schema)).rejects.toThrow(/contain itself/);
  });

  it.each<[object]>([
    [{}],
    [{ properties: {} }],
    [{ type: 'string' }],
    [{ type: ['object'] }],
    [{ anyOf: [{ type: 'object' }] }],
  ])('an input whose root is not an object: %j', async (schema) => {
    await expect(resolve(schema)).rejects.toThrow(/root of an input schema must be of type "object"/);
  });
});

describe('raw JSON Schemas of outputs', () => {
  it('may be of any type, and judge what would be written', async () => {
    const schema = await resolver.resolve({ type: 'array', items: { type: 'string', format: 'date-time' } }, 'output');
    expect(await schema.validate([new Date(0)])).toEqual({
      ok: true,
      value: ['1970-01-01T00:00:00.000Z'],
    });
    expect(await schema.validate([5])).toEqual({ ok: false, issues: [{ path: '[0]', message: 'must be string' }] });
  });

  it.each<[unknown, string, string]>([
    [{ a: 1n }, 'a', 'must not be a bigint'],
    [{ a: [Number.NaN] }, 'a[0]', 'must be a finite number'],
    [{ a: new Map() }, 'a', 'must not be a Map'],
    [undefined, '', 'must be a JSON value'],
  ])('refuse what JSON cannot carry', async (value, path, message) => {
    const schema = await resolver.resolve({}, 'output');
    expect(await schema.validate(value)).toEqual({ ok: false, issues: [{ path, message }] });
  });

  it('drop members without a value', async () => {
    const schema = await resolver.resolve({ type: 'object', properties: {}, additionalProperties: false }, 'output');
    expect(await schema.validate({ gone: undefined })).toEqual({ ok: true, value: {} });
  });
});

it('keeps ajv behind dynamic imports', () => {
  const source = readFileSync(
    new URL('../../../../lib/schema/json-schema/json-schema.compiler.ts', import.meta.url),
    'utf8',
  );
  expect(source).not.toMatch(/^import (?!type)[^;]*'ajv/m);
});

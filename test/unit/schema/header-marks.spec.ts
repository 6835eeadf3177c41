import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { readHeaderMarks } from '../../../lib/schema/header-marks.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';

const mark = (name: unknown, more: object = { type: 'string' }) => ({ ...more, 'x-mcp-header': name });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

it('reads marks of the root and of nested objects', () => {
  const json = object({
    region: mark('Region'),
    deep: object({
      er: object({ count: mark('X-Count', { type: 'integer' }), sure: mark('Sure', { type: 'boolean' }) }),
    }),
    method: mark('Method'),
    plain: { type: 'string' },
  });
  expect(readHeaderMarks(json)).toEqual([
    { name: 'Region', path: ['region'], type: 'string' },
    { name: 'X-Count', path: ['deep', 'er', 'count'], type: 'integer' },
    { name: 'Sure', path: ['deep', 'er', 'sure'], type: 'boolean' },
    { name: 'Method', path: ['method'], type: 'string' },
  ]);
});

it('finds the marks of a zod schema', async () => {
  const { json } = await new SchemaResolver().resolve(
    z.object({ region: z.string().optional().meta({ 'x-mcp-header': 'Region' }) }),
    'input',
  );
  expect(readHeaderMarks(json)).toEqual([{ name: 'Region', path: ['region'], type: 'string' }]);
});

it.each<[string, object]>([
  ['const', object({ a: { const: mark('A B') } })],
  ['default', object({ a: { default: mark('') } })],
  ['enum', object({ a: { enum: [mark('A:B')] } })],
  ['examples', object({ a: { examples: [mark(5)] } })],
  ['an unknown keyword', object({ a: { 'x-vendor': mark(5) } })],
])('ignores what looks like a mark inside %s', (_name, json) => {
  expect(readHeaderMarks(json as Record<string, unknown>)).toEqual([]);
});

it.each<[string, object]>([
  ['an empty name', object({ a: mark('') })],
  ['a name with a space', object({ a: mark('A B') })],
  ['a name with a colon', object({ a: mark('A:B') })],
  ['a name with a tab', object({ a: mark('A\tB') })],
  ['a name with a line break', object({ a: mark('A\n') })],
  ['a name outside ASCII', object({ a: mark('Région') })],
  ['a name that is no string', object({ a: mark(5) })],
  ['a number', object({ a: mark('A', { type: 'number' }) })],
  ['an object', object({ a: mark('A', { type: 'object' }) })],
  ['an array', object({ a: mark('A', { type: 'array' }) })],
  ['null', object({ a: mark('A', { type: 'null' }) })],
  ['no type', object({ a: mark('A', {}) })],
  ['several types', object({ a: mark('A', { type: ['string', 'null'] }) })],
  ['the root', mark('A', { type: 'object' })],
  ['items', object({ a: { type: 'array', items: mark('A') } })],
  ['oneOf', object({ a: { oneOf: [mark('A')] } })],
  ['a property inside anyOf', object({}, { anyOf: [object({ a: mark('A') })] })],
  ['then', object({}, { if: {}, then: object({ a: mark('A') }) })],
  ['$defs', object({}, { $defs: { a: mark('A') } })],
  ['additionalProperties', object({}, { additionalProperties: mark('A') })],
  ['the same name in another case', object({ a: mark('Region'), b: object({ c: mark('rEGION') }) })],
])('refuses a mark with or on %s', (_name, json) => {
  expect(() => readHeaderMarks(json as Record<string, unknown>)).toThrow(/^the x-mcp-header mark .* at /);
});

it.each([
  ['number', 'Let it be an integer, by `@IsInt()` or `z.int()`, or take the mark away.'],
  ['object', 'Mark a plain string, integer or boolean that cannot be null, or take the mark away.'],
])('says what to do about a mark on type %s', (type, cure) => {
  expect(() => readHeaderMarks(object({ a: mark('A', { type }) }))).toThrow(
    `the x-mcp-header mark "A" at "a" needs a property of type "string", "integer" or "boolean", not "${type}". ${cure}`,
  );
});

it('says where, and what to do', () => {
  expect(() => readHeaderMarks(object({ a: object({ b: mark('A B') }) }))).toThrow(
    'the x-mcp-header mark "A B" at "a.b" is not a header name. Use letters, digits and hyphens only.',
  );
});

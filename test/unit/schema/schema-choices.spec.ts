import { expect, it } from '@jest/globals';
import { IsEnum, IsIn, IsOptional, IsString } from 'class-validator';
import { z } from 'zod';

import { readChoices } from '../../../lib/schema/schema-choices.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import type { SchemaSource } from '../../../lib/schema/schema-source.js';

const object = (a: unknown, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties: { a },
  ...more,
});

it.each<[string, unknown, readonly string[]]>([
  ['an enum', { type: 'string', enum: ['b', 'a'] }, ['b', 'a']],
  ['an enum that may be null', { enum: ['a', null, 5] }, ['a']],
  ['a constant', { const: 'a' }, ['a']],
  [
    'constants with titles',
    {
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
    },
    ['a', 'b'],
  ],
  ['alternatives', { anyOf: [{ enum: ['a', 'b'] }, { const: 'b' }, { type: 'null' }] }, ['a', 'b']],
  ['a reference', { $ref: '#/$defs/x~1y' }, ['a']],
  ['a reference to a reference', { $ref: '#/$defs/again' }, ['a']],
])('reads %s', (_what, schema, texts) => {
  const $defs = { 'x/y': { enum: ['a'] }, again: { $ref: '#/$defs/x~1y' } };
  expect([...readChoices(object(schema, { $defs }))]).toEqual([['a', texts]]);
});

it.each<[string, unknown]>([
  ['any text', { type: 'string' }],
  ['some texts or any', { anyOf: [{ enum: ['a'] }, { type: 'string' }] }],
  ['numbers', { enum: [1, 2] }],
  ['nothing', { enum: [] }],
  ['null alone', { type: 'null' }],
  ['what is no schema', true],
  ['an example', { type: 'string', examples: ['a'] }],
  ['a reference to itself', { $ref: '#/properties/a' }],
  ['a reference by name', { $ref: '#anchor' }],
  ['a reference to nothing', { $ref: '#/$defs/none' }],
  ['what objects inherit', { $ref: '#/constructor' }],
])('finds none in %s', (_what, schema) => {
  expect(readChoices(object(schema)).size).toBe(0);
});

it('returns none for a schema without members', () => {
  expect(readChoices({ type: 'object' }).size).toBe(0);
  expect(readChoices({ type: 'object', properties: [] }).size).toBe(0);
});

it('keeps a member called __proto__', () => {
  const json = JSON.parse('{"properties":{"__proto__":{"const":"a"}}}') as Record<string, unknown>;
  expect([...readChoices(json)]).toEqual([['__proto__', ['a']]]);
});

enum Tone {
  Warm = 'warm',
  Cold = 'cold',
}

class Letter {
  @IsEnum(Tone) tone!: Tone;
  @IsOptional() @IsIn(['short', 'long']) length?: string;
  @IsString() text!: string;
}

const shared = z.enum(['x', 'y']).meta({ id: 'shared' });

it.each<[string, SchemaSource, readonly (readonly [string, readonly string[]])[]]>([
  [
    'class-validator',
    Letter,
    [
      ['tone', ['warm', 'cold']],
      ['length', ['short', 'long']],
    ],
  ],
  [
    'zod',
    z.object({
      tone: z.enum(Tone).optional(),
      size: z.union([z.literal('s'), z.literal(['m', 'l'])]).nullable(),
      first: shared,
      second: shared,
      text: z.string(),
    }),
    [
      ['tone', ['warm', 'cold']],
      ['size', ['s', 'm', 'l']],
      ['first', ['x', 'y']],
      ['second', ['x', 'y']],
    ],
  ],
])('reads what %s says', async (_library, source, choices) => {
  const { json } = await new SchemaResolver().resolve(source, 'input');
  expect(readChoices(json)).toEqual(new Map(choices));
});

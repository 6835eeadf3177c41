import 'reflect-metadata';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from '@jest/globals';
import { type } from 'arktype';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsOptional,
  IsPositive,
  Matches,
} from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import { Describe } from '../../../lib/decorators/describe.decorator.js';
import { InvalidQuestionError } from '../../../lib/errors/invalid-question.error.js';
import { FormCompiler } from '../../../lib/questions/form.compiler.js';
import { reduceToForm } from '../../../lib/questions/form.reducer.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import type { SchemaSource } from '../../../lib/schema/schema-source.js';
import { readOfficially } from '../../support/question-oracle.js';

const forms = new FormCompiler(new SchemaResolver());

async function formOf(source: SchemaSource): Promise<unknown> {
  const { json } = await forms.compile(source);
  const question = { method: 'elicitation/create', params: { message: 'a', requestedSchema: json } } as const;
  expect(readOfficially(question)).toEqual(question);
  return json;
}

const fieldOf = async (field: z.ZodType) =>
  ((await formOf(z.object({ field }))) as { properties: { field: unknown } }).properties.field;

class Booking {
  @Describe('Where to write to') @IsEmail() email!: string;
  @IsInt() @IsPositive() seats!: number;
  @Matches(/^[A-Z]{3}$/u) code!: string;
  @IsDate() @Type(() => Date) day!: Date;
  @IsArray() @IsIn(['window', 'aisle'], { each: true }) wishes!: string[];
  @IsOptional() @IsEnum({ A: 'first', B: 'second' }) class?: string;
  @IsOptional() @IsBoolean() insured?: boolean = true;
}

describe('reduceToForm', () => {
  it('makes a form of a class', async () => {
    expect(await formOf(Booking)).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', description: 'Where to write to', format: 'email' },
        seats: { type: 'integer', minimum: 1 },
        code: { type: 'string' },
        day: { type: 'string', format: 'date-time' },
        wishes: { type: 'array', items: { type: 'string', enum: ['window', 'aisle'] } },
        class: { type: 'string', enum: ['first', 'second'] },
        insured: { type: 'boolean', default: true },
      },
      required: ['email', 'seats', 'code', 'day', 'wishes'],
    });
  });

  it('makes a form of an ArkType schema', async () => {
    const source = type({
      'note?': 'string | null',
      email: 'string.email',
      seats: 'number.integer > 0',
      class: "'first' | 'second'",
      wishes: "('window' | 'aisle')[]",
    });
    expect(await formOf(source)).toEqual({
      type: 'object',
      properties: {
        note: { type: 'string' },
        email: { type: 'string', format: 'email' },
        seats: { type: 'integer', minimum: 1 },
        class: { type: 'string', enum: ['first', 'second'] },
        wishes: { type: 'array', items: { type: 'string', enum: ['aisle', 'window'] } },
      },
      required: ['class', 'email', 'seats', 'wishes'],
    });
  });

  it('makes a form of a Valibot schema', async () => {
    const source = v.object({
      email: v.pipe(v.string(), v.email()),
      note: v.optional(v.nullable(v.string()), 'none'),
      class: v.picklist(['first', 'second']),
      seats: v.pipe(v.number(), v.integer(), v.minValue(1)),
    });
    expect(await formOf(toStandardJsonSchema(source))).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        note: { type: 'string', default: 'none' },
        class: { type: 'string', enum: ['first', 'second'] },
        seats: { type: 'integer', minimum: 1 },
      },
      required: ['email', 'class', 'seats'],
    });
  });

  const choice = z.enum(['a', 'b']);
  const titled = z.union([z.literal('a').meta({ title: 'A' }), z.literal('b').meta({ title: 'B' })]);

  it.each<[what: string, field: z.ZodType, shown: unknown]>([
    [
      'a text',
      z.string().min(1).max(5).describe('Name'),
      { type: 'string', description: 'Name', minLength: 1, maxLength: 5 },
    ],
    [
      'a title, and no other notes',
      z.string().meta({ title: 'A', examples: ['b'], unit: 'c' }),
      { type: 'string', title: 'A' },
    ],
    ['an e-mail address without its pattern', z.email(), { type: 'string', format: 'email' }],
    ['a URL', z.url(), { type: 'string', format: 'uri' }],
    ['a day', z.iso.date(), { type: 'string', format: 'date' }],
    ['a point in time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['a text without a format that forms do not know', z.uuid(), { type: 'string' }],
    ['a text without a pattern', z.string().regex(/^a/), { type: 'string' }],
    ['a whole number without the limits of safety', z.int(), { type: 'integer' }],
    ['a whole number with its own limits', z.int().gt(0).lt(10), { type: 'integer', minimum: 1, maximum: 9 }],
    ['the narrower of two limits', z.int().gt(0).min(5).max(7).lt(99), { type: 'integer', minimum: 5, maximum: 7 }],
    ['the wider limits of a number', z.number().gt(0).lt(1.5), { type: 'number', minimum: 0, maximum: 1.5 }],
    ['a number without its step', z.number().multipleOf(0.5), { type: 'number' }],
    ['yes or no', z.boolean().default(false), { type: 'boolean', default: false }],
    ['a yes', z.literal(true), { type: 'boolean' }],
    ['one literal as a choice', z.literal('a'), { type: 'string', enum: ['a'] }],
    ['a choice', choice.default('b'), { type: 'string', enum: ['a', 'b'], default: 'b' }],
    [
      'a choice with titles',
      titled,
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
    ],
    ['a choice with some titles', z.union([titled, z.literal('c')]), { type: 'string', enum: ['a', 'b', 'c'] }],
    ['a choice made of choices', z.union([choice, z.enum(['b', 'c'])]), { type: 'string', enum: ['a', 'b', 'c'] }],
    [
      'several choices',
      z.array(choice).min(1).max(2),
      { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b'] } },
    ],
    [
      'several choices with titles',
      z.array(titled),
      {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'A' },
            { const: 'b', title: 'B' },
          ],
        },
      },
    ],
    ['no null', z.string().nullable().default(null), { type: 'string' }],
    ['no null of a number', z.number().min(1).nullish(), { type: 'number', minimum: 1 }],
    ['no null of a choice', choice.nullable(), { type: 'string', enum: ['a', 'b'] }],
    ['what a transform takes', z.string().transform(Number), { type: 'string' }],
    ['what a coercion advertises', z.coerce.number(), { type: 'number' }],
  ])('shows %s', async (_what, field, shown) => {
    expect(await fieldOf(field)).toEqual(shown);
  });

  it('follows references, and keeps the keywords beside them', async () => {
    const colour = z.enum(['red', 'green']).meta({ id: 'Colour', title: 'Colour' });
    expect(await formOf(z.object({ front: colour.describe('Front'), back: colour.optional() }))).toEqual({
      type: 'object',
      properties: {
        front: { type: 'string', title: 'Colour', description: 'Front', enum: ['red', 'green'] },
        back: { type: 'string', title: 'Colour', enum: ['red', 'green'] },
      },
      required: ['front'],
    });
  });

  it.each([
    [z.object({}), { type: 'object', properties: {} }],
    [z.strictObject({ a: z.string() }), { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    [z.looseObject({ a: z.string().optional() }), { type: 'object', properties: { a: { type: 'string' } } }],
  ])('leaves out what is said of other members', async (source, form) => {
    expect(await formOf(source)).toEqual(form);
  });

  it.each<[what: string, field: z.ZodType, place: string]>([
    ['an object', z.object({ a: z.string() }), '"field": `type`'],
    ['a list of texts', z.array(z.string()), '"field": `items`'],
    ['a tuple', z.tuple([z.string()]), '"field": `items`'],
    ['a choice of numbers', z.literal([1, 2]), '"field": `enum`'],
    ['a choice of several types', z.literal(['a', true]), '"field": `enum`'],
    ['several numbers', z.array(z.literal([1, 2])), '"field": `enum`'],
    ['text or number', z.union([z.string(), z.number()]), '"field": `type`'],
    ['anything', z.unknown(), '"field": `type`'],
    ['null', z.null(), '"field": `type`'],
    ['an empty choice', z.enum([]), '"field": `type`'],
    ['contradicting limits', z.string().min(2).max(1), '"field": `minLength`'],
    ['a default that its field refuses', z.email().default('none'), '"field": `default`'],
  ])('refuses %s', async (_what, field, place) => {
    await expect(fieldOf(field)).rejects.toThrow(InvalidQuestionError);
    await expect(fieldOf(field)).rejects.toThrow(place);
  });

  it.each<[what: string, source: SchemaSource, place: string]>([
    ['a union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), '`anyOf`'],
    ['a record', z.record(z.string(), z.string()), '`additionalProperties`'],
    ['what is no object', z.string(), 'type "object"'],
    ['what JSON cannot say', z.object({ a: z.bigint() }), 'cannot express the input side'],
  ])('refuses %s', async (_what, source, place) => {
    await expect(formOf(source)).rejects.toThrow(InvalidQuestionError);
    await expect(formOf(source)).rejects.toThrow(place);
  });

  it('recognizes null by its value', () => {
    const nullable = { anyOf: [{ type: 'string', minLength: 1 }, { const: null }] };
    expect(reduceToForm({ type: 'object', properties: { a: nullable } })).toEqual({
      type: 'object',
      properties: { a: { type: 'string', minLength: 1 } },
    });
  });

  it('does not follow references in a circle', () => {
    const json = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/b' }, c: { anyOf: [{ $ref: '#/properties/c' }] } },
      $defs: { a: { $ref: '#/$defs/a' }, b: { anyOf: [{ $ref: '#/$defs/b' }, { const: 'b' }] } },
    };
    expect(reduceToForm(json)).toEqual({ type: 'object', properties: { a: {}, b: {}, c: {} } });
  });
});

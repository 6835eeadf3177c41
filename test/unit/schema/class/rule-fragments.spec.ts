import { expect, it } from '@jest/globals';
import * as cv from 'class-validator';
import { SchemaResolver } from '../../../../lib/schema/schema.resolver.js';

type Decorate = (target: object, member: string) => void;
const open = { type: 'string' };

async function memberSchema(...decorators: Decorate[]): Promise<unknown> {
  const Dto = class {};
  for (const decorate of decorators) decorate(Dto.prototype, 'a');
  const { json } = await new SchemaResolver().resolve(Dto, 'input');
  return (json['properties'] as Record<string, unknown>)['a'];
}

it.each<[string, Decorate, object]>([
  ['IsBoolean', cv.IsBoolean(), { type: 'boolean' }],
  ['IsNumber', cv.IsNumber(), { type: 'number' }],
  ['IsNumber with decimals', cv.IsNumber({ maxDecimalPlaces: 2 }), { type: 'number', multipleOf: 0.01 }],
  ['IsPositive', cv.IsPositive(), { type: 'number', exclusiveMinimum: 0 }],
  ['IsNegative', cv.IsNegative(), { type: 'number', exclusiveMaximum: 0 }],
  ['IsDivisibleBy', cv.IsDivisibleBy(3), { type: 'number', multipleOf: 3 }],
  ['MinLength', cv.MinLength(2), { type: 'string', minLength: 2 }],
  ['MaxLength', cv.MaxLength(2), { type: 'string', maxLength: 2 }],
  ['Length', cv.Length(1, 2), { type: 'string', minLength: 1, maxLength: 2 }],
  ['Length without an end', cv.Length(1), { type: 'string', minLength: 1 }],
  ['Matches', cv.Matches(/^a+$/), { type: 'string', pattern: '^a+$' }],
  ['Matches ignoring case', cv.Matches(/^a+$/i), open],
  ['Matches as text', cv.Matches('^a', 'g'), { type: 'string', pattern: '^a' }],
  ['Contains', cv.Contains('a.b/c-d'), { type: 'string', pattern: String.raw`a\.b\/c-d` }],
  ['NotContains', cv.NotContains('x'), { type: 'string', not: { pattern: 'x' } }],
  ['IsNotIn', cv.IsNotIn(['x', 1]), { not: { enum: ['x', 1] } }],
  ['NotEquals', cv.NotEquals('x'), { not: { const: 'x' } }],
  ['Equals', cv.Equals(5), { type: 'integer', const: 5 }],
  ['IsEmpty', cv.IsEmpty(), { type: ['string', 'null'], enum: ['', null] }],
  ['IsNotEmptyObject', cv.IsNotEmptyObject(), { type: 'object', minProperties: 1 }],
  ['ArrayContains', cv.ArrayContains(['x']), { type: 'array', items: {}, allOf: [{ contains: { const: 'x' } }] }],
  ['ArrayNotContains', cv.ArrayNotContains(['x']), { type: 'array', items: {}, not: { contains: { enum: ['x'] } } }],
  ['ArrayNotEmpty', cv.ArrayNotEmpty(), { type: 'array', items: {}, minItems: 1 }],
  ['IsEmail', cv.IsEmail(), { type: 'string', format: 'email' }],
  ['IsEmail with options', cv.IsEmail({ allow_display_name: true }), open],
  ['IsUrl', cv.IsUrl(), open],
  ['IsByteLength', cv.IsByteLength(2, 9), { type: 'string', maxLength: 9 }],
  ['IsByteLength without an end', cv.IsByteLength(2), open],
  ['IsUUID', cv.IsUUID(), { type: 'string', format: 'uuid' }],
  ['IsIP', cv.IsIP('6'), { type: 'string', format: 'ipv6' }],
  ['IsIP of any version', cv.IsIP(), open],
  ['IsLatitude', cv.IsLatitude(), { type: ['number', 'string'] }],
  ['IsHexColor', cv.IsHexColor(), open],
])('%s', async (_name, decorate, schema) => {
  expect(await memberSchema(decorate)).toEqual(schema);
});

it('merges rules of one member', async () => {
  expect(await memberSchema(cv.IsInt(), cv.Min(1), cv.Min(3), cv.Max(9), cv.IsNumber())).toEqual({
    type: 'integer',
    minimum: 3,
    maximum: 9,
  });
  expect(await memberSchema(cv.Matches(/a/), cv.Matches(/b/), cv.IsOptional())).toEqual({
    anyOf: [{ type: 'string', pattern: 'a', allOf: [{ pattern: 'b' }] }, { type: 'null' }],
  });
});

/** Built-in rules whose meaning is not written down would silently lose their type. */
it('supports every built-in rule of class-validator', async () => {
  const special = new Set(['IsOptional', 'IsDefined', 'IsNotEmpty', 'IsDate', 'IsInstance']);
  const names = Object.keys(cv).filter(
    (name) =>
      /^(Is[A-Z]|Array|Min|Max|Contains|NotContains|Length|Matches|Equals|NotEquals)/.test(name) &&
      !special.has(name) &&
      !/Date$|Constraint$/.test(name),
  );
  const untyped = await Promise.all(
    names.map(async (name) => {
      const create = (cv as unknown as Record<string, (argument: unknown) => Decorate>)[name] ?? (() => () => {});
      const argument = new Map<string, unknown>([
        ['IsEnum', { A: 'a' }],
        ['IsDivisibleBy', 2],
        ['Matches', /a/],
      ]).get(name);
      const list = /In$|Array(Not)?Contains/.test(name) ? ['a'] : undefined;
      const size = /^(Min|Max|Length|ArrayM)/.test(name) ? 1 : undefined;
      const schema = await memberSchema(
        create(argument ?? list ?? size ?? (/^(Not)?Contains$|Equals$/.test(name) ? 'a' : undefined)),
      );
      return Object.keys(schema as object).length === 0 ? name : undefined;
    }),
  );
  expect(names.length).toBeGreaterThan(80);
  expect(untyped.filter((name) => name !== undefined)).toEqual([]);
});

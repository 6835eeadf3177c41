import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { type } from 'arktype';
import { getMetadataStorage, IsString } from 'class-validator';
import { z } from 'zod';
import { isSchemaSource, SchemaResolver } from '../../../lib/schema/schema.resolver.js';

class Args {
  @IsString() a!: string;
}

describe('SchemaResolver', () => {
  it.each<[string, unknown]>([
    ['a class', Args],
    ['a zod schema', z.object({ a: z.string() })],
    ['an arktype schema, which is a function', type({ a: 'string' })],
    ['a JSON Schema', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    [
      'a JSON Schema without prototype',
      Object.assign(Object.create(null), { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }),
    ],
  ])('takes %s', async (_name, source) => {
    expect(isSchemaSource(source)).toBe(true);
    const schema = await new SchemaResolver().resolve(source, 'input');
    expect(schema.json).toMatchObject({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] });
    expect(await schema.validate({ a: 'x' })).toMatchObject({ ok: true, value: { a: 'x' } });
    expect(await schema.validate({ a: 5 })).toMatchObject({ ok: false, issues: [{ path: 'a' }] });
    expect(await schema.validate({})).toMatchObject({ ok: false });
  });

  it.each<[string, unknown]>([
    ['a string', 'x'],
    ['undefined', undefined],
    ['null', null],
    ['an array', []],
    ['an arrow function', () => Args],
    ['an instance of a class', new Args()],
    ['a Map', new Map()],
  ])('refuses %s', async (_name, source) => {
    expect(isSchemaSource(source)).toBe(false);
    await expect(new SchemaResolver().resolve(source, 'input')).rejects.toThrow(
      /neither a DTO class, nor a Standard Schema.*Pass one/,
    );
  });

  it('adds nothing to the storage of class-validator', async () => {
    const size = () =>
      Object.values(getMetadataStorage()).map((table: unknown) => (table instanceof Map ? table.size : 0));
    await new SchemaResolver().resolve(Args, 'input');
    const [rules] = size();
    await new SchemaResolver().resolve(Args, 'input');
    expect(size()[0]).toBe(rules);
  });
});

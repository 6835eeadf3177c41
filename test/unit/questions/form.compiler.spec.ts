import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { InvalidQuestionError } from '../../../lib/errors/invalid-question.error.js';
import { FormCompiler } from '../../../lib/questions/form.compiler.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';

const forms = new FormCompiler(new SchemaResolver());
const form = (properties: object, others: object = {}) => ({ type: 'object', properties, ...others });
const field = (schema: object) => form({ field: schema });

describe('FormCompiler', () => {
  it.each([
    ['of a schema library', z.object({ a: z.string() })],
    ['written as a form', form({ a: { type: 'string' } })],
  ])('compiles a schema %s once', (_what, source) => {
    const first = forms.compile(source);
    expect(forms.compile(source)).toBe(first);
    expect(new FormCompiler(new SchemaResolver()).compile(source)).not.toBe(first);
  });

  it('sends a given form unchanged and frozen, and does not modify the original', async () => {
    const source = form(
      { a: { type: 'string', title: 'A' }, b: { type: 'boolean' } },
      { required: ['a'], $schema: 'https://json-schema.org/draft/2020-12/schema', additionalProperties: false },
    );
    const { json } = await forms.compile(source);
    const { additionalProperties: _closed, ...shown } = source as Record<string, unknown>;
    expect(json).toEqual(shown);
    expect(Object.isFrozen(json) && Object.isFrozen(json['properties'])).toBe(true);
    expect(Object.isFrozen(source)).toBe(false);
  });

  it('keeps a written form closed where it says so, and open where it does not', async () => {
    const properties = { a: { type: 'string' } };
    const closed = await forms.compile(form(properties, { additionalProperties: false }));
    expect(await closed.judge({ a: 'b', c: 'd' })).toEqual({ ok: false, fields: [] });
    const open = await forms.compile(form(properties));
    expect(await open.judge({ a: 'b', c: 'd' })).toEqual({ ok: true, value: { a: 'b', c: 'd' } });
  });

  it('counts the characters that people count', async () => {
    const short = await forms.compile(field({ type: 'string', minLength: 2, maxLength: 2, default: '😀😀' }));
    expect(await short.judge({ field: '😀😀' })).toMatchObject({ ok: true });
    expect(await short.judge({ field: '😀' })).toMatchObject({ ok: false });
  });

  it.each([
    [{ type: 'string', minLength: 2, default: 'a' }],
    [{ type: 'string', maxLength: 1, default: 'ab' }],
    [{ type: 'string', minLength: 2, default: '😀' }],
    [{ type: 'string', format: 'email', default: 'nobody' }],
    [{ type: 'string', format: 'uri', default: '/a' }],
    [{ type: 'string', format: 'date', default: '2026-02-30' }],
    [{ type: 'string', format: 'date-time', default: '2026-02-20' }],
    [{ type: 'string', enum: ['a'], default: 'b' }],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }], default: 'b' }],
    [{ type: 'integer', default: 1.5 }],
    [{ type: 'number', minimum: 1, default: 0 }],
    [{ type: 'number', maximum: 1, default: 2 }],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, default: ['b'] }],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, default: ['b'] }],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1, default: [] }],
  ])('refuses the default of %j', async (schema) => {
    const attempt = forms.compile(field(schema));
    await expect(attempt).rejects.toThrow(InvalidQuestionError);
    await expect(attempt).rejects.toThrow('The form property "field": `default`');
  });

  it('names the property with an invalid default, for any property name', async () => {
    const right = { type: 'string', enum: ['a'], default: 'a' };
    const attempt = forms.compile(form({ 'a/b': right, 'c~d/e': { ...right, default: 'b' } }));
    await expect(attempt).rejects.toThrow('The form property "c~d/e": `default`');
  });

  it.each<[what: string, source: object, words: string]>([
    ['a keyword that forms do not have', field({ type: 'string', pattern: 'a' }), '"field": `pattern`'],
    ['open members with a schema', form({}, { additionalProperties: {} }), '`additionalProperties`'],
    ['another dialect', form({}, { $schema: 'http://json-schema.org/draft-07/schema#' }), '2020-12'],
    ['what is no JSON', field({ type: 'number', minimum: NaN }), 'finite number'],
    ['a schema too long to send', field({ type: 'string', description: 'a'.repeat(600_000) }), 'characters'],
  ])('refuses a written form with %s, each time', async (_what, source, words) => {
    await expect(forms.compile(source as never)).rejects.toThrow(InvalidQuestionError);
    await expect(forms.compile(source as never)).rejects.toThrow(words);
  });

  it('names exactly the invalid properties, with the names of the author', async () => {
    const { judge } = await forms
      .compile(z.strictObject({ a: z.string(), 'b c': z.int(), d: z.array(z.enum(['x'])), e: z.string().optional() }))
      .then((compiled) => ({ judge: compiled.judge.bind(compiled) }));
    expect(await judge({ 'b c': 'secret', d: ['secret'], e: 'fine', secret: 'a' })).toEqual({
      ok: false,
      fields: ['a', 'b c', 'd'],
    });
    const writtenForm = await forms.compile(
      form({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['b'] }),
    );
    expect(await writtenForm.judge({ a: 'a' })).toEqual({ ok: false, fields: ['b'] });
    expect(await judge({ a: 'a', 'b c': 1, d: ['x'], secret: 'a' })).toEqual({ ok: false, fields: [] });
  });
});

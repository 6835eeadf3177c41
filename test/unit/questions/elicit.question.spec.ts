import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsDate, IsOptional, IsString, Validate, ValidatorConstraint } from 'class-validator';
import { z } from 'zod';
import { InvalidQuestionError } from '../../../lib/errors/invalid-question.error.js';
import { elicit } from '../../../lib/questions/elicit.question.js';
import { FormCompiler } from '../../../lib/questions/form.compiler.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import type { SchemaSource } from '../../../lib/schema/schema-source.js';
import { isOfficialAnswer } from '../../support/question-oracle.js';

const message = 'Who are you?';
const forms = new FormCompiler(new SchemaResolver());
const prepare = async (schema: SchemaSource) => elicit({ message, schema }).prepare(forms);
const person = z.object({
  name: z
    .string()
    .min(1)
    .transform((name) => name.trim()),
  age: z.int().default(30),
});

@ValidatorConstraint({ name: 'free', async: true })
class IsFree {
  async validate(name: unknown): Promise<boolean> {
    await Promise.resolve();
    return name !== 'taken';
  }
}

class Account {
  @IsString() @Validate(IsFree) name!: string;
  @IsDate() @Type(() => Date) since!: Date;
  @IsOptional() @IsString() plan?: string = 'free';
}

describe('elicit', () => {
  it('asks with a form, of a client that shows forms', async () => {
    const question = elicit({ message, schema: person });
    expect(question.needs).toEqual(['elicitation.form']);
    const { wire } = await question.prepare(forms);
    expect(wire).toEqual({
      method: 'elicitation/create',
      params: {
        message,
        requestedSchema: {
          type: 'object',
          properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer', default: 30 } },
          required: ['name'],
        },
      },
    });
  });

  it.each([[''], ['  '], [undefined], [5]])('refuses the message %j', (words) => {
    const attempt = () => elicit({ message: words as string, schema: person });
    expect(attempt).toThrow(InvalidQuestionError);
    expect(attempt).toThrow('`message`');
  });

  it.each([[undefined], [null], ['string'], [[]], [() => person]])('refuses %p as a schema', (schema) => {
    const attempt = () => elicit({ message, schema: schema as never });
    expect(attempt).toThrow(InvalidQuestionError);
    expect(attempt).toThrow('Pass one of these');
  });

  it('refuses a form that no client could show when it is prepared', async () => {
    const question = elicit({ message, schema: z.object({ home: z.object({ street: z.string() }) }) });
    await expect(question.prepare(forms)).rejects.toThrow('The form property "home": `type`');
  });

  it('reads an accepted form as arguments are read', async () => {
    const { read } = await prepare(person);
    expect(await read({ action: 'accept', content: { name: ' Ada ', unknown: 'dropped' }, _meta: { a: 1 } })).toEqual({
      ok: true,
      answer: { action: 'accept', content: { name: 'Ada', age: 30 } },
    });
  });

  it('makes an instance of a class', async () => {
    const { read } = await prepare(Account);
    const reading = await read({ action: 'accept', content: { name: 'ada', since: '2026-07-28T10:00:00Z' } });
    const { content } = (reading as { answer: { content: Account } }).answer;
    expect(content).toBeInstanceOf(Account);
    expect(content).toEqual({ name: 'ada', since: new Date('2026-07-28T10:00:00Z'), plan: 'free' });
  });

  it('asks the rules that a form cannot show, also those that take their time', async () => {
    const { read } = await prepare(Account);
    const content = { name: 'taken', since: '2026-07-28T10:00:00Z' };
    expect(await read({ action: 'accept', content })).toMatchObject({ ok: false, kind: 'unfit', fields: ['name'] });
  });

  it.each([
    ['what a pattern refuses', z.object({ code: z.string().regex(/^[A-Z]{3}$/) }), { code: 'secret' }, ['code']],
    ['what a refinement refuses', z.object({ code: z.string().refine(() => false) }), { code: 'secret' }, ['code']],
    ['another type', z.object({ count: z.int() }), { count: '5' }, ['count']],
    ['a number where coercion would help', z.object({ count: z.coerce.number() }), { count: '5' }, ['count']],
    ['an unknown member of a closed form', z.strictObject({}), { secret: 'secret' }, []],
    ['nothing', person, undefined, ['name']],
    ['null for nothing', person, null, ['name']],
  ])('finds %s unfit, without repeating it', async (_what, schema, content, fields) => {
    const { read } = await prepare(schema);
    expect(await read({ action: 'accept', content })).toEqual({
      ok: false,
      kind: 'unfit',
      message: 'The content of the form does not fit its schema',
      fields,
    });
  });

  it('needs no content where nothing is required', async () => {
    const { read } = await prepare(z.object({}));
    expect(await read({ action: 'accept' })).toEqual({ ok: true, answer: { action: 'accept', content: {} } });
  });

  it.each([
    [{ action: 'decline' }],
    [{ action: 'cancel' }],
    [{ action: 'decline', content: { odd: ['flat'], but: 1.5, fine: true } }],
    [{ action: 'cancel', content: {}, extra: { nested: [] } }],
  ])('takes %j for an answer', async (answer) => {
    const { read } = await prepare(person);
    expect(await read(answer)).toEqual({ ok: true, answer: { action: answer.action } });
  });

  it.each([
    [12345],
    [null],
    ['accept'],
    [[]],
    [{}],
    [{ ok: true }],
    [{ action: 'ACCEPT' }],
    [{ action: ['accept'] }],
    [{ action: 'toString' }],
    [{ action: 'accept', content: 'name' }],
    [{ action: 'accept', content: [] }],
    [{ action: 'accept', content: { name: null } }],
    [{ action: 'accept', content: { name: { first: 'Ada' } } }],
    [{ action: 'accept', content: { name: [1] } }],
    [{ action: 'decline', content: { nested: { a: 1 } } }],
    [{ action: 'cancel', content: { nested: [[]] } }],
    [{ action: 'cancel', content: 5 }],
  ])('finds %j malformed', async (answer) => {
    const { read } = await prepare(person);
    expect(isOfficialAnswer('elicitation/create', answer)).toBe(false);
    expect(await read(answer)).toEqual({
      ok: false,
      kind: 'malformed',
      message: "The client's response is not a result of elicitation/create",
    });
  });

  it('finds a number beyond all numbers malformed', async () => {
    const { read } = await prepare(person);
    expect(await read(JSON.parse('{"action":"accept","content":{"name":"a","age":1e999}}'))).toMatchObject({
      ok: false,
      kind: 'malformed',
    });
  });
});

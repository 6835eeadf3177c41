import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { type } from 'arktype';
import { IsEmail, IsIn, IsInt, IsOptional, Max, Min, validateSync } from 'class-validator';
import * as fc from 'fast-check';
import { z } from 'zod';
import { elicit, elicitUrl } from '../../../lib/questions/elicit.question.js';
import { FormCompiler } from '../../../lib/questions/form.compiler.js';
import type { AnswerReading, Question } from '../../../lib/questions/question.js';
import { roots } from '../../../lib/questions/roots.question.js';
import { sample } from '../../../lib/questions/sample.question.js';
import { user } from '../../../lib/model/content.builders.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import { isOfficialAnswer } from '../../support/question-oracle.js';

const message = 'a';
const forms = new FormCompiler(new SchemaResolver());

class Order {
  @IsEmail() email!: string;
  @IsInt() @Min(1) @Max(3) count!: number;
  @IsOptional() @IsIn(['red', 'blue']) colour?: string;
}

const zod = z.strictObject({
  email: z.email(),
  count: z.int().min(1).max(3),
  colour: z.enum(['red', 'blue']).optional(),
});
const ark = type({ email: 'string.email', count: '1 <= number.integer <= 3', 'colour?': "'red' | 'blue'" });
const written = {
  type: 'object',
  properties: {
    email: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 1, maximum: 3 },
    colour: { type: 'string', enum: ['red', 'blue'] },
  },
  required: ['email', 'count'],
};

/** JSON that comes near an answer more often than chance would have it. */
const value = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<unknown>('ada@example.com', 'nobody', 1, 3, 4, 1.5, 'red', 'green', true) },
  fc.jsonValue({ maxDepth: 2 }),
);
const near = (...right: readonly unknown[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: value });
const fields = { email: near('ada@example.com'), count: near(1, 3), colour: near('red', 'blue') };
const content = fc.oneof(
  { weight: 4, arbitrary: fc.record(fields, { requiredKeys: ['count'] }) },
  fc.dictionary(fc.constantFrom('email', 'count', '__proto__', 'toString', 'x'), value),
  fc.jsonValue(),
);
const action = fc.oneof(
  { weight: 6, arbitrary: fc.constant<unknown>('accept') },
  fc.constantFrom<unknown>('decline', 'cancel', 'toString'),
  fc.jsonValue(),
);
const block = fc.record(
  {
    type: fc.constantFrom<unknown>('text', 'image', 'tool_use', 'tool_result', 5),
    text: value,
    data: value,
    id: value,
  },
  { requiredKeys: [] },
);
const other = fc.record(
  {
    role: fc.constantFrom<unknown>('user', 'assistant', 1),
    content: fc.oneof(block, fc.array(block), fc.jsonValue()),
    model: value,
    roots: fc.oneof(
      fc.array(fc.record({ uri: fc.constantFrom<unknown>('file:///a', 'a', 1), name: value })),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
);
const answers = fc
  .oneof({ weight: 6, arbitrary: fc.record({ action, content }, { requiredKeys: ['action'] }) }, other, fc.jsonValue())
  // As it comes off the wire, `__proto__` included.
  .map((answer): unknown => JSON.parse(JSON.stringify(answer)));

type Reading = AnswerReading<unknown>;

function isFree(reading: Reading): boolean {
  return reading.ok || !/ada|nobody|green/.test(JSON.stringify(reading));
}

/** Readings of many answers, drawn anew each time. */
async function readMany(
  question: Question<unknown>,
): Promise<{ readonly answer: unknown; readonly reading: Reading }[]> {
  const { read } = await question.prepare(forms);
  const many = fc.sample(answers, 1_000);
  return Promise.all(many.map(async (answer) => ({ answer, reading: await read(answer) })));
}

function isAccepted(answer: unknown): answer is { readonly content: unknown } {
  return (answer as { action: string }).action === 'accept';
}

describe('any JSON value as an answer', () => {
  it.each<[what: string, question: Question<unknown>, accepts: (content: unknown) => boolean]>([
    ['zod', elicit({ message, schema: zod }), (given) => zod.safeParse(given).success],
    ['arktype', elicit({ message, schema: ark }), (given) => !(ark(given) instanceof type.errors)],
    [
      'class-validator',
      elicit({ message, schema: Order }),
      (given) =>
        validateSync(Object.assign(new Order(), given), { whitelist: true, forbidNonWhitelisted: true }).length === 0,
    ],
    [
      'a written form',
      elicit({ message, schema: written }),
      (given) => z.looseObject(zod.shape).safeParse(given).success,
    ],
  ])('never throws, and is accepted only where %s accepts', async (_what, question, accepts) => {
    const readings = await readMany(question);
    expect(readings.filter(({ reading }) => !isFree(reading))).toEqual([]);
    const answered = readings.flatMap(({ answer, reading }) => (reading.ok ? [{ answer, read: reading.answer }] : []));
    expect(answered.filter(({ answer }) => !isOfficialAnswer('elicitation/create', answer))).toEqual([]);
    const contents = answered.flatMap(({ read }) => (isAccepted(read) ? [read.content] : []));
    expect(contents.filter((given) => !accepts(given))).toEqual([]);
    // Otherwise the property would say nothing.
    expect(contents.length).toBeGreaterThan(0);
  });

  it.each([
    ['a page', elicitUrl({ message, url: 'https://example.com' }), 'elicitation/create' as const],
    ['a sample', sample({ messages: [user('a')], maxTokens: 1 }), 'sampling/createMessage' as const],
    ['the roots', roots(), 'roots/list' as const],
  ])('never throws, and answers for %s only what the protocol allows', async (_what, question, method) => {
    const readings = await readMany(question);
    expect(readings.filter(({ reading }) => !isFree(reading))).toEqual([]);
    const answered = readings.filter(({ reading }) => reading.ok);
    expect(answered.filter(({ answer }) => !isOfficialAnswer(method, answer))).toEqual([]);
  });
});

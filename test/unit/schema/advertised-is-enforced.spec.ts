import { describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatsPlugin } from 'ajv-formats';
import * as cv from 'class-validator';
import * as fc from 'fast-check';
import { z } from 'zod';
import type { SchemaDirection, SchemaVerdict } from '../../../lib/schema/component-schema.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import { type ObjectShape, rootShape, valueOf } from './shapes/shape.js';
import { toArkType, toClass, toJsonSchema, toValibot, toZod } from './shapes/shape-sources.js';

// Some hundred schemas are compiled here, on machines that may be busy.
jest.setTimeout(60_000);

const resolver = new SchemaResolver();
const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
(addFormats as unknown as FormatsPlugin)(ajv);

/** What a client would conclude from the advertised schema; independent of the library's own instance. */
function oracleOf(json: object): (value: unknown) => boolean {
  const check = ajv.compile(json);
  ajv.removeSchema(json);
  return (value) => check(value);
}

const drawn = rootShape.chain((shape) =>
  fc.record({ shape: fc.constant(shape), values: fc.array(valueOf(shape), { minLength: 12, maxLength: 12 }) }),
);

interface Sight<S> {
  readonly source: S;
  readonly value: unknown;
  readonly verdict: SchemaVerdict;
  /** Whether the advertised schema admits the value. */
  readonly valid: boolean;
  readonly isValid: (value: unknown) => boolean;
}

interface Trial<S> {
  readonly build: (shape: ObjectShape) => S;
  readonly runs: number;
  readonly holds: (sight: Sight<S>) => boolean | Promise<boolean>;
  readonly direction?: SchemaDirection;
}

/** Fails with a shrunk counterexample where `holds` is false; reports how often each verdict occurred. */
async function tryOut<S>({ build, runs, holds, direction = 'input' }: Trial<S>) {
  const seen = { accepted: 0, refused: 0, narrowed: 0 };
  await fc.assert(
    fc.asyncProperty(drawn, async ({ shape, values }) => {
      const source = build(shape);
      const schema = await resolver.resolve(source, direction);
      const isValid = oracleOf(schema.json);
      for (const value of values) {
        const before = JSON.stringify(value);
        const verdict = await schema.validate(value);
        const valid = isValid(value);
        if (JSON.stringify(value) !== before) return false;
        if (!(await holds({ source, value, verdict, valid, isValid }))) return false;
        seen[verdict.ok ? 'accepted' : 'refused'] += 1;
        if (valid && !verdict.ok) seen.narrowed += 1;
      }
      return true;
    }),
    { seed: 20_260_728, numRuns: runs },
  );
  return seen;
}

const isEqual = ({ verdict, valid }: Sight<unknown>): boolean => verdict.ok === valid;
const onlyNarrows = ({ verdict, valid }: Sight<unknown>): boolean => !verdict.ok || valid;

describe('for everything that JSON Schema can express, a value is accepted exactly if the advertised schema admits it', () => {
  it('raw JSON Schema, which hands on the very value', async () => {
    const seen = await tryOut({
      build: toJsonSchema,
      runs: 80,
      holds: (sight) => isEqual(sight) && (!sight.verdict.ok || sight.verdict.value === sight.value),
    });
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(80);
  });

  it('zod, whose own verdict is the same', async () => {
    const seen = await tryOut({
      build: toZod,
      runs: 60,
      holds: (sight) => isEqual(sight) && sight.source.safeParse(sight.value).success === sight.verdict.ok,
    });
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(60);
  });

  it('DTO classes, whose instances satisfy class-validator', async () => {
    const seen = await tryOut({
      build: toClass,
      runs: 80,
      holds: async (sight) => {
        if (!sight.verdict.ok) return !sight.valid;
        const instance = sight.verdict.value as object;
        const errors = await cv.validate(instance, { whitelist: true, forbidNonWhitelisted: true });
        return sight.valid && errors.length === 0 && instance instanceof sight.source;
      },
    });
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(80);
  });

  it.each<[string, (shape: ObjectShape) => unknown]>([
    ['valibot', toValibot],
    ['arktype', toArkType],
  ])('%s', async (_name, build) => {
    const seen = await tryOut({ build, runs: 40, holds: isEqual });
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(40);
  });
});

describe('refinements, transforms and custom rules only narrow', () => {
  const even = { validate: (value: unknown) => JSON.stringify(value).length % 2 === 0 };

  it.each<[string, (shape: ObjectShape) => unknown]>([
    ['zod refinements', (shape) => toZod(shape).refine(even.validate)],
    [
      'rules of DTO authors',
      (shape) => {
        const type = toClass(shape);
        const [member = ''] = Object.keys(shape.members);
        cv.registerDecorator({ target: type, propertyName: member, name: 'even', validator: even });
        return type;
      },
    ],
  ])('%s', async (_name, build) => {
    const seen = await tryOut({ build, runs: 40, holds: onlyNarrows });
    expect(Math.min(seen.accepted, seen.narrowed)).toBeGreaterThan(20);
  });

  it('zod coercion, preprocessing and formats', async () => {
    const loose = z.object({
      n: z.coerce.number().min(2).optional(),
      p: z.preprocess(Number, z.int()).optional(),
      mail: z.email().optional(),
      url: z.url().optional(),
      at: z.iso.datetime({ offset: true }).optional(),
      trimmed: z.string().trim().min(2).max(3).optional(),
    });
    const schema = await resolver.resolve(loose, 'input');
    const isValid = oracleOf(schema.json);
    const texts = ['5', ' a ', 'ab ', 'a@b.co', 'a@b-.co', 'http://a.b/', 'http://é.x/', '2026-01-01T00:00:00+01:00'];
    const others = [1, 2, 2.5, true, null];
    const verdicts = await Promise.all(
      Object.keys(loose.shape).flatMap((member) =>
        [...texts, ...others].map(async (value) => {
          const { ok } = await schema.validate({ [member]: value });
          return { value, ok, widened: ok && !isValid({ [member]: value }) };
        }),
      ),
    );
    expect(verdicts.filter(({ widened }) => widened)).toEqual([]);
    expect(verdicts.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(8);
  });
});

it.each<[string, (shape: ObjectShape) => unknown]>([
  ['raw JSON Schema', toJsonSchema],
  ['zod', toZod],
  ['DTO classes', toClass],
])('what is sent satisfies the advertised output: %s', async (_name, build) => {
  const seen = await tryOut({
    build,
    runs: 30,
    direction: 'output',
    holds: ({ verdict, isValid }) => !verdict.ok || isValid(JSON.parse(JSON.stringify(verdict.value))),
  });
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(30);
});

it.each<[string, (shape: ObjectShape) => unknown]>([
  ['raw JSON Schema', toJsonSchema],
  ['zod', toZod],
  ['valibot', toValibot],
  ['arktype', toArkType],
  ['DTO classes', toClass],
])('issues hold no received text: %s', async (_name, build) => {
  const secret = 'hunter2hunter2';
  const shapes = fc.sample(rootShape, { seed: 11, numRuns: 20 });
  const texts = await Promise.all(
    shapes.map(async (shape) => {
      const schema = await resolver.resolve(build(shape), 'input');
      const value = Object.fromEntries(Object.keys(shape.members).map((name) => [name, secret]));
      return JSON.stringify(await schema.validate(value));
    }),
  );
  const refusals = texts.filter((text) => text.includes('"issues"'));
  expect(refusals.length).toBeGreaterThan(10);
  expect(refusals.filter((text) => text.includes(secret))).toEqual([]);
});

import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatsPlugin } from 'ajv-formats';
import * as cv from 'class-validator';
import fc from 'fast-check';
import { z } from 'zod';
import type { SchemaVerdict } from '../../../lib/schema/component-schema.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import { type ObjectShape, rootShape, valueOf } from './shapes/shape.js';
import { toArkType, toClass, toJsonSchema, toValibot, toZod } from './shapes/shape-sources.js';

const resolver = new SchemaResolver();
const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
(addFormats as unknown as FormatsPlugin)(ajv);

/** What a client would conclude from the advertised schema; independent of the library's own instance. */
function oracleOf(json: object): (value: unknown) => boolean {
  const check = ajv.compile(json);
  ajv.removeSchema(json);
  return (value) => check(value);
}

interface Tally {
  accepted: number;
  refused: number;
}

interface Drawn {
  readonly shape: ObjectShape;
  readonly values: readonly unknown[];
}

const drawn = rootShape.chain((shape) =>
  fc.record({ shape: fc.constant(shape), values: fc.array(valueOf(shape), { minLength: 12, maxLength: 12 }) }),
);

type Extra = (shape: ObjectShape, value: unknown, verdict: SchemaVerdict) => void | Promise<void>;

/** Equality of verdicts over drawn schemas and values; both verdicts must actually occur. */
async function expectEquality(build: (shape: ObjectShape) => unknown, numRuns: number, extra?: Extra): Promise<void> {
  const tally: Tally = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(drawn, async ({ shape, values }: Drawn) => {
      const { json, validate } = await resolver.resolve(build(shape), 'input');
      const isValid = oracleOf(json);
      for (const value of values) {
        const before = JSON.stringify(value);
        const verdict = await validate(value);
        expect({ value, ok: verdict.ok }).toEqual({ value, ok: isValid(value) });
        expect(JSON.stringify(value)).toBe(before);
        await extra?.(shape, value, verdict);
        tally[verdict.ok ? 'accepted' : 'refused'] += 1;
      }
    }),
    { seed: 20_260_728, numRuns },
  );
  expect(Math.min(tally.accepted, tally.refused)).toBeGreaterThan(numRuns);
}

describe('for everything that JSON Schema can express, a value is accepted exactly if the advertised schema admits it', () => {
  it('raw JSON Schema', async () => {
    await expectEquality(toJsonSchema, 100, (_shape, value, verdict) => {
      if (verdict.ok) expect(verdict.value).toBe(value);
    });
  });

  it('zod, whose own verdict is the same', async () => {
    await expectEquality(toZod, 80, (shape, value, verdict) => {
      expect(toZod(shape).safeParse(value).success).toBe(verdict.ok);
    });
  });

  it('DTO classes, whose instances satisfy class-validator', async () => {
    await expectEquality(toClass, 120, async (_shape, _value, verdict) => {
      if (!verdict.ok) return;
      expect(await cv.validate(verdict.value as object, { whitelist: true, forbidNonWhitelisted: true })).toEqual([]);
    });
  });

  it('valibot', async () => {
    await expectEquality(toValibot, 60);
  });

  it('arktype', async () => {
    await expectEquality(toArkType, 40);
  });
});

describe('refinements, transforms and custom rules only narrow', () => {
  const even = { validate: (value: unknown) => JSON.stringify(value).length % 2 === 0 };

  async function expectNarrowing(build: (shape: ObjectShape) => unknown): Promise<void> {
    let narrowed = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(drawn, async ({ shape, values }: Drawn) => {
        const { json, validate } = await resolver.resolve(build(shape), 'input');
        const isValid = oracleOf(json);
        for (const value of values) {
          const { ok } = await validate(value);
          if (ok) expect(isValid(value)).toBe(true);
          if (ok) accepted += 1;
          else if (isValid(value)) narrowed += 1;
        }
      }),
      { seed: 77, numRuns: 60 },
    );
    expect(narrowed).toBeGreaterThan(20);
    expect(accepted).toBeGreaterThan(20);
  }

  it('zod refinements', async () => {
    await expectNarrowing((shape) => toZod(shape).refine(even.validate));
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
    const { json, validate } = await resolver.resolve(loose, 'input');
    const isValid = oracleOf(json);
    const text = fc.constantFrom(
      '5',
      ' a ',
      'ab ',
      'a@b.co',
      'a@b-.co',
      'http://é.x/',
      'https://a.b/c d',
      '2026-01-01T00:00:00+01:00',
      '2026-02-30T00:00:00Z',
    );
    const member = fc.constantFrom(...Object.keys(loose.shape));
    const value = fc
      .tuple(member, fc.oneof(text, fc.constantFrom(1, 2, 2.5, true)))
      .map(([name, drawn]) => ({ [name]: drawn }));
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(value, async (drawnValue) => {
        const { ok } = await validate(drawnValue);
        if (ok) accepted += 1;
        if (ok) expect(isValid(drawnValue)).toBe(true);
      }),
      { seed: 5, numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('rules of DTO authors', async () => {
    await expectNarrowing((shape) => {
      const type = toClass(shape);
      const [member = ''] = Object.keys(shape.members);
      cv.registerDecorator({ target: type, propertyName: member, name: 'even', validator: even });
      return type;
    });
  });
});

describe('what is sent satisfies the advertised output', () => {
  it.each<[string, (shape: ObjectShape) => unknown]>([
    ['raw JSON Schema', toJsonSchema],
    ['zod', toZod],
    ['DTO classes', toClass],
  ])('%s', async (_name, build) => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ shape, values }: Drawn) => {
        const { json, validate } = await resolver.resolve(build(shape), 'output');
        const isValid = oracleOf(json);
        for (const value of values) {
          const verdict = await validate(value);
          if (verdict.ok) expect(isValid(JSON.parse(JSON.stringify(verdict.value)))).toBe(true);
        }
      }),
      { seed: 9, numRuns: 40 },
    );
  });
});

it('issues of any source hold no received text', async () => {
  const secret = 'hunter2hunter2';
  await fc.assert(
    fc.asyncProperty(
      rootShape,
      fc.constantFrom(toJsonSchema, toZod, toValibot, toArkType, toClass),
      async (shape, build) => {
        const { validate } = await resolver.resolve(build(shape), 'input');
        const value = Object.fromEntries(Object.keys(shape.members).map((name) => [name, secret]));
        const verdict = await validate(value);
        if (!verdict.ok) expect(JSON.stringify(verdict.issues)).not.toContain(secret);
      },
    ),
    { seed: 11, numRuns: 100 },
  );
});

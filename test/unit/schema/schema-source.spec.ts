import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { IsString } from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import type { SchemaSource, ToolArgs } from '../../../lib/schema/schema-source.js';

class Args {
  @IsString() a!: string;
  shout() {
    return this.a.toUpperCase();
  }
}

const zod = z.object({ n: z.string().transform(Number), limit: z.int().default(10) });
const ark = type({ n: 'string.numeric.parse' });
const valibot = toStandardJsonSchema(v.object({ a: v.optional(v.string(), 'x') }));
const raw = { type: 'object', properties: {} } as const;

// Every kind of source is one; the compiler refuses the file otherwise.
const sources: SchemaSource[] = [Args, zod, ark, valibot, raw];

async function argsOf<S extends SchemaSource>(source: S, value: unknown): Promise<ToolArgs<S>> {
  const verdict = await (await new SchemaResolver().resolve(source, 'input')).validate(value);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.issues));
  return verdict.value as ToolArgs<S>;
}

it('types what handlers receive as the output of the schema', async () => {
  const fromZod: { n: number; limit: number } = await argsOf(zod, { n: '4' });
  const fromArk: { n: number } = await argsOf(ark, { n: '4' });
  const fromValibot: { a: string } = await argsOf(valibot, {});
  const fromClass: Args = await argsOf(Args, { a: 'hi' });
  const fromRaw: Record<string, unknown> = await argsOf(raw, { any: 1 });
  // @ts-expect-error the output side is a number
  const wrong: { n: string } = await argsOf(zod, { n: '4' });
  expect([fromZod, fromArk, fromValibot, fromClass.shout(), fromRaw, wrong.n, sources.length]).toEqual([
    { n: 4, limit: 10 },
    { n: 4 },
    { a: 'x' },
    'HI',
    { any: 1 },
    4,
    5,
  ]);
});

import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';
import type { SchemaDirection } from '../component-schema.js';
import { withObjectRoot } from '../json-schema/object-root.js';

const CURES: Readonly<Record<string, string>> = {
  valibot: 'Wrap the schema: `toStandardJsonSchema(schema)` of `@valibot/to-json-schema`.',
  zod: 'Use Zod 4.2 or later (`import { z } from "zod"`).',
  arktype: 'Use ArkType 2.1.28 or later.',
};

/** JSON Schema 2020-12 of one side of a Standard Schema, as its own library converts it. */
export function convert(source: StandardSchemaV1, direction: SchemaDirection): JsonSchema {
  const { vendor } = source['~standard'];
  const converter = findConverter(source);
  if (converter === undefined) {
    throw new UnsupportedSchemaError(
      `the ${vendor} schema cannot be turned into JSON Schema (it has no \`~standard.jsonSchema\`). ${CURES[vendor] ?? 'Use a library with Standard JSON Schema, or pass a JSON Schema.'}`,
    );
  }
  let json: Record<string, unknown>;
  try {
    json = converter[direction]({ target: 'draft-2020-12', ...vendorOptions(vendor) });
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new UnsupportedSchemaError(
      `${vendor} cannot express the ${direction} side as JSON Schema (${detail}). Use types that JSON has, such as a string that is transformed, or pass a JSON Schema.`,
      { cause },
    );
  }
  const { $schema: _dialect, ...rest } = json;
  return withObjectRoot(rest);
}

/** Valibot converts its ISO times, which have no offset, to formats of RFC 3339, which need one; shown, not checked. */
export function checksVendorFormat(vendor: string, schema: JsonSchema): boolean {
  return vendor !== 'valibot' || (schema['format'] !== 'time' && schema['format'] !== 'date-time');
}

/** Returns whether a library visits a recursive part of a value once, and not once for each branch of a union. */
export function remembersBranches(vendor: string): boolean {
  return vendor === 'zod' || vendor === 'arktype';
}

function findConverter(source: StandardSchemaV1): StandardJSONSchemaV1.Converter | undefined {
  const standard: object = source['~standard'];
  const converter: unknown = 'jsonSchema' in standard ? standard.jsonSchema : undefined;
  return isFields(converter) && typeof converter['input'] === 'function' && typeof converter['output'] === 'function'
    ? (converter as unknown as StandardJSONSchemaV1.Converter)
    : undefined;
}

interface ArkTypeSite {
  readonly code: string;
  readonly base?: unknown;
}

/** ArkType otherwise advertises `{}` for what JSON Schema cannot express. Predicates are fine: they only narrow. */
function vendorOptions(vendor: string): { libraryOptions?: Record<string, unknown> } {
  if (vendor !== 'arktype') return {};
  const refuse = ({ code }: ArkTypeSite): never => {
    throw new Error(`"${code}" cannot be represented in JSON Schema`);
  };
  const keep = ({ base }: ArkTypeSite): unknown => base;
  const fallback = {
    ...Object.fromEntries(
      ['arrayObject', 'arrayPostfix', 'date', 'domain', 'morph', 'proto', 'symbolKey', 'unit'].map((code) => [
        code,
        refuse,
      ]),
    ),
    predicate: keep,
    patternIntersection: keep,
  };
  return { libraryOptions: { fallback } };
}

import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { listSubschemas, pointerTo } from './json-schema.walker.js';

/** Deepest nesting of schemas inside a schema; compiling is recursive. */
export const MAX_SCHEMA_DEPTH = 64;
/** Maximum number of schemas inside one document; compile time grows with it. */
export const MAX_SUBSCHEMAS = 5_000;
/** Longest document in characters of JSON; every `tools/list` sends it. */
export const MAX_SCHEMA_CHARACTERS = 512 * 1024;

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Refuses documents of another dialect, and documents that are too large to compile or to list. */
export function checkLimits(document: JsonSchema): void {
  if (JSON.stringify(document).length > MAX_SCHEMA_CHARACTERS) {
    throw new UnsupportedSchemaError(
      `the schema is longer than ${MAX_SCHEMA_CHARACTERS} characters. Every list sends it: split the component, or shorten enums and descriptions.`,
    );
  }
  let count = 0;
  const visit = (schema: unknown, pointer: string, depth: number): void => {
    if (!isFields(schema)) return;
    if (depth > MAX_SCHEMA_DEPTH) {
      throw new UnsupportedSchemaError(
        `the schema nests deeper than ${MAX_SCHEMA_DEPTH} levels. Move inner schemas to \`$defs\` and refer to them by \`$ref\`.`,
      );
    }
    if (++count > MAX_SUBSCHEMAS) {
      throw new UnsupportedSchemaError(`the schema holds more than ${MAX_SUBSCHEMAS} schemas. Split the component.`);
    }
    checkDialect(schema, pointer);
    for (const child of listSubschemas(schema)) visit(child.schema, pointerTo(pointer, child), depth + 1);
  };
  visit(document, '', 0);
}

function checkDialect(schema: Record<string, unknown>, pointer: string): void {
  if (!Object.hasOwn(schema, '$schema')) return;
  const dialect = schema['$schema'];
  if (typeof dialect === 'string' && DIALECT.test(dialect)) return;
  throw new UnsupportedSchemaError(
    `\`$schema\` at "#${pointer}" names ${JSON.stringify(dialect)}, and only JSON Schema 2020-12 is supported. Leave \`$schema\` out and write the schema in 2020-12.`,
  );
}

import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import type { JsonSchema } from '../../model/json-schema.js';
import type { ComponentSchema, SchemaDirection, SchemaVerdict } from '../component-schema.js';
import type { JsonSchemaCompiler, SchemaCheck } from './json-schema.compiler.js';
import { checkLimits } from './json-schema.limits.js';
import { checkReferences } from './json-schema.references.js';
import { freezeJson, NotJsonError, toJsonValue } from '../json-value.js';
import { limitIssues, toIssue, writePath } from '../schema-issues.js';

/** A JSON Schema 2020-12 as the author wrote it: every keyword is advertised, every assertion enforced. */
export function adaptJsonSchema(
  source: object,
  direction: SchemaDirection,
  compiler: JsonSchemaCompiler,
): ComponentSchema {
  const json = freezeJson(copySchema(source));
  checkLimits(json);
  checkReferences(json);
  const check = compiler.compile(json);
  return {
    json,
    validate: direction === 'input' ? (value) => verdictOf(check, value) : (value) => judgeOutput(check, value),
  };
}

/** The verdict of a check on a JSON value. */
export function verdictOf(check: SchemaCheck, value: unknown): SchemaVerdict {
  const errors = check(value);
  return errors.length === 0
    ? { ok: true, value }
    : { ok: false, issues: limitIssues(errors.map((error) => toIssue(error, value))) };
}

/** Checks what would go out on the wire, and hands back exactly that. */
export function judgeOutput(check: SchemaCheck, value: unknown): SchemaVerdict {
  try {
    const json = toJsonValue(value);
    if (json === undefined) return { ok: false, issues: [{ path: '', message: 'must be a JSON value' }] };
    return verdictOf(check, json);
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    return { ok: false, issues: [{ path: writePath(error.path), message: error.message }] };
  }
}

function copySchema(source: object): JsonSchema {
  try {
    return toJsonValue(source) as JsonSchema;
  } catch (cause) {
    if (!(cause instanceof NotJsonError)) throw cause;
    const place = writePath(cause.path);
    throw new UnsupportedSchemaError(
      `the JSON Schema ${cause.message} (at ${place === '' ? 'its root' : `"${place}"`}). Write it as plain JSON.`,
      { cause },
    );
  }
}

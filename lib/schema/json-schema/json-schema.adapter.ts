import type { ErrorObject } from 'ajv/dist/2020.js';
import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import type { JsonSchema } from '../../model/json-schema.js';
import type { ComponentSchema, SchemaDirection, SchemaIssue, SchemaVerdict } from '../component-schema.js';
import type { JsonSchemaCompiler, SchemaCheck } from './json-schema.compiler.js';
import { checkLimits } from './json-schema.limits.js';
import { checkReferences } from './json-schema.references.js';
import { freezeJson, NotJsonError, toJsonValue } from '../json-value.js';
import { limitIssues, MAX_ISSUES, toIssue, writePath } from '../schema-issues.js';
import { SCHEMA_WORK, UNLIMITED_WORK } from './json-schema.work.js';

/** A JSON Schema 2020-12 as the author wrote it: every keyword is advertised, every assertion is enforced. */
export function adaptJsonSchema(
  source: object,
  direction: SchemaDirection,
  compiler: JsonSchemaCompiler,
): ComponentSchema {
  const json = freezeJson(copySchema(source));
  checkLimits(json);
  checkReferences(json);
  const check = compiler.compile(json, { work: direction === 'input' ? SCHEMA_WORK : UNLIMITED_WORK });
  return {
    json,
    validate: direction === 'input' ? (value) => verdictOf(check, value) : (value) => judgeOutput(check, value),
  };
}

/** Returns the result of a check on a JSON value. */
export function verdictOf(check: SchemaCheck, value: unknown): SchemaVerdict {
  const { errors } = check(value);
  return errors.length === 0 ? { ok: true, value } : { ok: false, issues: wordBreaches(errors, value) };
}

/** The first breaches of a schema as text. */
export function wordBreaches(errors: readonly ErrorObject[], value: unknown): SchemaIssue[] {
  // Some of them have the same text.
  return limitIssues(errors.slice(0, 10 * MAX_ISSUES).map((error) => toIssue(error, value)));
}

/** Checks the JSON that would be sent, and returns exactly that JSON. */
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

import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ComponentSchema, SchemaDirection, SchemaVerdict } from '../component-schema.js';
import { judgeOutput, wordBreaches } from '../json-schema/json-schema.adapter.js';
import type { JsonSchemaCompiler, SchemaCheck } from '../json-schema/json-schema.compiler.js';
import { checkLimits } from '../json-schema/json-schema.limits.js';
import { checkReferences } from '../json-schema/json-schema.references.js';
import { LIBRARY_WORK, UNLIMITED_WORK } from '../json-schema/json-schema.work.js';
import { freezeJson } from '../json-value.js';
import { wordVendorIssues } from './vendor-issues.js';
import { checksVendorFormat, convert, remembersBranches } from './vendor-conversion.js';

/** Returns whether a value implements Standard Schema; the schemas of ArkType are functions. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = '~standard' in value ? value['~standard'] : undefined;
  return typeof standard === 'object' && standard !== null && 'validate' in standard;
}

/** A schema of Zod, Valibot, ArkType or any other library with Standard JSON Schema. */
export function adaptStandardSchema(
  source: StandardSchemaV1,
  direction: SchemaDirection,
  compiler: JsonSchemaCompiler,
): ComponentSchema {
  const json = freezeJson(convert(source, direction));
  checkLimits(json);
  checkReferences(json);
  const { vendor } = source['~standard'];
  const check = compiler.compile(json, {
    checksFormat: (schema) => checksVendorFormat(vendor, schema),
    trusted: true,
    work: direction === 'input' ? { ...LIBRARY_WORK, thorough: !remembersBranches(vendor) } : UNLIMITED_WORK,
  });
  const judge = direction === 'input' ? judgeInputOf(source, check) : judgeOutputOf(source, check);
  return { json, validate: judge };
}

type Judge = ComponentSchema['validate'];
type Result = StandardSchemaV1.Result<unknown>;

/**
 * The advertised schema runs before the library's own check, so that coercion and preprocessing cannot accept what the
 * schema forbids. A refused value still goes to the library, for the author's own messages, unless it is so large that
 * a list of all issues would exhaust the process.
 */
function judgeInputOf(source: StandardSchemaV1, check: SchemaCheck): Judge {
  return (value) => {
    const { errors, complete } = check(value);
    if (!complete) return { ok: false, issues: wordBreaches(errors, value) };
    return afterwards(source['~standard'].validate(value), (result): SchemaVerdict => {
      const own = result.issues === undefined ? [] : wordVendorIssues(source['~standard'].vendor, result.issues, value);
      if (own.length > 0) return { ok: false, issues: own };
      if (errors.length > 0) return { ok: false, issues: wordBreaches(errors, value) };
      return result.issues === undefined ? { ok: true, value: result.value } : REFUSED;
    });
  };
}

/** The output is the library's value, not the handler's: members that the schema strips do not leak. */
function judgeOutputOf(source: StandardSchemaV1, check: SchemaCheck): Judge {
  return (value) =>
    afterwards(source['~standard'].validate(value), (result): SchemaVerdict => {
      if (result.issues === undefined) return judgeOutput(check, result.value);
      const issues = wordVendorIssues(source['~standard'].vendor, result.issues, value);
      return issues.length > 0 ? { ok: false, issues } : REFUSED;
    });
}

const REFUSED: SchemaVerdict = { ok: false, issues: [{ path: '', message: 'is not valid' }] };

function afterwards(
  result: Result | Promise<Result>,
  judge: (result: Result) => SchemaVerdict,
): SchemaVerdict | Promise<SchemaVerdict> {
  return result instanceof Promise ? result.then(judge) : judge(result);
}

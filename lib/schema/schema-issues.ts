import type { ErrorObject } from 'ajv/dist/2020.js';
import { isFields } from '../model/fields.js';
import type { SchemaIssue } from './component-schema.js';

/** Longest list of issues; more would not help the reader. */
export const MAX_ISSUES = 10;

const MAX_NAME = 64;
/** Longest message; a library may list every name or allowed value in one message. */
const MAX_MESSAGE = 1_000;
const MAX_ALLOWED_TEXT = 200;

export type IssuePath = readonly (string | number)[];

/** A breach found by ajv, in words of the schema alone: never the value. */
export function toIssue(error: ErrorObject, root: unknown): SchemaIssue {
  return { path: writePath(readPointer(error.instancePath, root)), message: wordError(error) };
}

/** At most {@link MAX_ISSUES} issues, without duplicates. */
export function limitIssues(issues: Iterable<SchemaIssue>): SchemaIssue[] {
  const kept = new Map<string, SchemaIssue>();
  for (const { path, message } of issues) {
    const issue = { path, message: cut(message, MAX_MESSAGE) };
    kept.set(`${issue.path}\n${issue.message}`, issue);
    if (kept.size === MAX_ISSUES) break;
  }
  return [...kept.values()];
}

/** `lines[0].sku`; names that are not identifiers are quoted, and shortened when long. */
export function writePath(path: IssuePath): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[A-Za-z_$][\w$]{0,63}$/.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `[${JSON.stringify(cut(segment))}]`;
  }
  return text;
}

/** Segments of a JSON pointer; digits are an index only where the value has an array. */
export function readPointer(pointer: string, root: unknown): (string | number)[] {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((escaped) => {
      const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
      const segment = Array.isArray(value) ? Number(name) : name;
      value = memberOf(value, segment);
      return segment;
    });
}

/** The value at a path, or `undefined`. */
export function valueAt(root: unknown, path: IssuePath): unknown {
  return path.reduce<unknown>(memberOf, root);
}

/** Removes a received value from a text that another library wrote. */
export function redact(message: string, value: unknown): string {
  return textsOf(value)
    .filter((text) => text.length > 3)
    .reduce((text, secret) => text.replaceAll(secret, 'the value'), message);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, JSON.stringify(value).slice(1, -1)];
  return typeof value === 'number' ? [String(value)] : [];
}

function memberOf(value: unknown, segment: string | number): unknown {
  if (Array.isArray(value) && typeof segment === 'number') return value[segment];
  if (isFields(value) && Object.hasOwn(value, segment)) return value[segment];
  return undefined;
}

function wordError({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return `must have required property '${cut(String(params['missingProperty']))}'`;
    case 'additionalProperties':
      return `must not have the property '${cut(String(params['additionalProperty']))}'`;
    case 'unevaluatedProperties':
      return `must not have the property '${cut(String(params['unevaluatedProperty']))}'`;
    case 'propertyNames':
      return `must not have a property named '${cut(String(params['propertyName']))}'`;
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}`;
    case 'enum':
      return `must be one of ${wordAllowed(params['allowedValues'] as readonly unknown[])}`;
    case 'const':
      return `must be ${wordAllowed([params['allowedValue']])}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`;
    case 'uniqueItems':
      return 'must not have equal items';
    case 'false schema':
      return 'must not be present';
    default:
      return message ?? `must satisfy "${keyword}"`;
  }
}

function wordAllowed(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value)).join(', ');
  return text.length > MAX_ALLOWED_TEXT ? 'the allowed values' : text;
}

function cut(text: string, max = MAX_NAME): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

import { isFields } from '../../model/fields.js';
import { hasOnly } from './content.shapes.js';
import { ResultError } from './result.error.js';

const MAX_VALUES = 100;

/** Reads the return value of a completion; more than 100 values are cut, with the total told. */
export function readCompletionReturn(value: unknown): Readonly<Record<string, unknown>> {
  const given = Array.isArray(value) || value === undefined ? { values: value ?? [] } : value;
  if (!isFields(given) || !hasOnly(given, ['values', 'total', 'hasMore']) || !isTextList(given['values'])) {
    throw new ResultError('A completion returns a list of strings, or { values, total, hasMore }.');
  }
  const { values, total, hasMore } = given as { values: readonly string[]; total?: unknown; hasMore?: unknown };
  if (total !== undefined && (!Number.isSafeInteger(total) || (total as number) < values.length)) {
    throw new ResultError('The total of a completion is at least the number of its values.');
  }
  if (hasMore !== undefined && typeof hasMore !== 'boolean')
    throw new ResultError('"hasMore" of a completion is a boolean.');
  if (values.length > MAX_VALUES) {
    return { values: values.slice(0, MAX_VALUES), total: total ?? values.length, hasMore: true };
  }
  return { values, ...(total === undefined ? {} : { total }), ...(hasMore === undefined ? {} : { hasMore }) };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

import type { Fault } from '../../model/fault.js';
import { isFields, type Fields } from '../../model/fields.js';
import { MAX_ANSWERS, type Retry } from '../../model/operation.js';

export type RetryReading = { readonly retry?: Retry } | { readonly fault: Fault };

const NONE: RetryReading = Object.freeze({});

/**
 * What a client adds when it repeats a request to answer what was asked.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function readRetry(params: Readonly<Record<string, unknown>> | undefined): RetryReading {
  const { inputResponses, requestState: state } = params ?? {};
  if (inputResponses === undefined && state === undefined) return NONE;
  if (state !== undefined && typeof state !== 'string') return invalid('requestState must be a string');
  const answers = inputResponses === undefined ? {} : inputResponses;
  if (!isFields(answers)) return invalid('inputResponses must be an object of objects');
  const names = Object.keys(answers);
  // Before any of them is looked at.
  if (names.length > MAX_ANSWERS) return invalid(`inputResponses must have at most ${MAX_ANSWERS} members`);
  if (!hasObjects(answers, names)) return invalid('inputResponses must be an object of objects');
  return { retry: { answers, ...(state === undefined ? {} : { state }) } };
}

const invalid = (message: string): RetryReading => ({ fault: { kind: 'invalid-params', message } });

const hasObjects = (value: Fields, names: readonly string[]): value is Retry['answers'] =>
  names.every((name) => isFields(value[name]));

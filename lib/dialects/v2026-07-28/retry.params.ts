import type { Fault } from '../../model/fault.js';
import { isFields } from '../../model/fields.js';
import type { Retry } from '../../model/operation.js';

export type RetryReading = { readonly retry?: Retry } | { readonly fault: Fault };

const NONE: RetryReading = Object.freeze({});

/**
 * What a client adds when it repeats a request to answer what was asked.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function readRetry(params: Readonly<Record<string, unknown>> | undefined): RetryReading {
  const { inputResponses, requestState } = params ?? {};
  if (inputResponses === undefined && requestState === undefined) return NONE;
  if (requestState !== undefined && typeof requestState !== 'string') return invalid('requestState must be a string');
  if (inputResponses !== undefined && !isAnswers(inputResponses)) {
    return invalid('inputResponses must be an object of objects');
  }
  return { retry: { answers: inputResponses ?? {}, ...(requestState === undefined ? {} : { state: requestState }) } };
}

const invalid = (message: string): RetryReading => ({ fault: { kind: 'invalid-params', message } });

const isAnswers = (value: unknown): value is Retry['answers'] =>
  isFields(value) && Object.values(value).every(isFields);

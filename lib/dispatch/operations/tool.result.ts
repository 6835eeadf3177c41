import { messageOf } from '../../errors/log-line.js';
import type { ContentBlock, ToolResult } from '../../model/content.js';
import { isFields } from '../../model/fields.js';
import type { CompleteOutcome } from '../../model/outcome.js';
import { hasOnly, isContentBlock } from './content.shapes.js';
import { ResultError } from './result.error.js';

const RESULT_FIELDS = ['content', 'structuredContent', 'isError', '_meta'];

/** What a handler returned, before its structured part is checked. */
export type ToolReturn =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'value'; readonly value: unknown };

/**
 * Reads the return value of a tool: content blocks and full results by their exact shape, everything else as a value.
 * With an output schema a block-shaped value is a value too, since the schema says so.
 */
export function readToolReturn(value: unknown, hasOutput: boolean): ToolReturn {
  // A copy, since what is JSON of an instance is up to its class.
  if (isToolResult(value)) return { kind: 'result', result: { ...value } };
  if (hasOutput) return { kind: 'value', value };
  if (value === undefined) return { kind: 'result', result: { content: [] } };
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (isContentBlock(value)) return { kind: 'result', result: { content: [value] } };
  if (isBlockList(value)) return { kind: 'result', result: { content: value } };
  return { kind: 'value', value };
}

/** A structured value goes out twice: for programs, and as text for models. @throws ResultError for what JSON cannot carry. */
export function structured(value: unknown): CompleteOutcome {
  const text = jsonOf(value);
  return { kind: 'complete', result: { content: [{ type: 'text', text }], structuredContent: value }, text };
}

export function spoken(text: string): CompleteOutcome {
  return { kind: 'complete', result: { content: [{ type: 'text', text }] }, text };
}

/** @throws ResultError for what JSON cannot carry. */
export function jsonOf(value: unknown): string {
  // JSON would spell them out byte by byte, which no client can use.
  if (value instanceof Uint8Array) {
    throw new ResultError('Bytes cannot be returned as they are. Wrap them in image(), audio(), embedded() or blob().');
  }
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new ResultError(`The returned value cannot be written as JSON: ${messageOf(error)}`);
  }
  if (json === undefined) throw new ResultError(`A ${typeof value} cannot be returned; return JSON.`);
  return json;
}

function isToolResult(value: unknown): value is ToolResult {
  return (
    isFields(value) &&
    Array.isArray(value['content']) &&
    hasOnly(value, RESULT_FIELDS) &&
    value['content'].every(isContentBlock) &&
    (value['isError'] === undefined || typeof value['isError'] === 'boolean') &&
    (value['_meta'] === undefined || isFields(value['_meta']))
  );
}

function isBlockList(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.length > 0 && value.every(isContentBlock);
}

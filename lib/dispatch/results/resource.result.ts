import type { ResourceContents } from '../../model/content.js';
import { isFields } from '../../model/fields.js';
import { hasOnly, isResourceContents } from './content.shapes.js';
import { ResultError } from './result.error.js';
import { jsonOf } from './tool.result.js';

const PART_FIELDS = ['uri', 'mimeType', 'blob', '_meta'];

/** What a read answers with, besides what every result has. */
export interface ResourceAnswer {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Reads the return value of a resource; `undefined` when there is nothing at this URI. */
export function readResourceReturn(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
): ResourceAnswer | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return { contents: [{ uri, mimeType: mimeType ?? 'text/plain', text: value }] };
  if (value instanceof Uint8Array) {
    const blob = Buffer.from(value).toString('base64');
    return { contents: [{ uri, blob, mimeType: mimeType ?? 'application/octet-stream' }] };
  }
  if (isAnswer(value)) {
    return { ...value, contents: value.contents.map((part) => completePart(part, uri, mimeType)) };
  }
  if (isBlobPart(value)) return { contents: [completePart(value, uri, mimeType)] };
  return { contents: [{ uri, mimeType: mimeType ?? 'application/json', text: jsonOf(value) }] };
}

function isAnswer(value: unknown): value is { readonly contents: readonly unknown[] } {
  return (
    isFields(value) &&
    hasOnly(value, ['contents', '_meta']) &&
    Array.isArray(value['contents']) &&
    (value['_meta'] === undefined || isFields(value['_meta']))
  );
}

function isBlobPart(value: unknown): boolean {
  return isFields(value) && typeof value['blob'] === 'string' && hasOnly(value, PART_FIELDS);
}

function completePart(part: unknown, uri: string, mimeType: string | undefined): ResourceContents {
  const completed: unknown = isFields(part) ? { uri, ...(mimeType === undefined ? {} : { mimeType }), ...part } : part;
  if (!isResourceContents(completed)) {
    throw new ResultError(
      'Each of the contents of a resource needs either "text" or "blob", and may have "uri", "mimeType" and "_meta".',
    );
  }
  return completed;
}

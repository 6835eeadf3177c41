import type { ResourceContents, ResourcePart } from '../../model/content.js';
import { hasOnly, isFields } from './content.shapes.js';
import { ResultError } from './result.error.js';
import { jsonOf } from './tool.result.js';

const PART_FIELDS = ['uri', 'mimeType', 'text', 'blob', '_meta'];

/** Reads the return value of a resource; `undefined` when there is nothing at this URI. */
export function readResourceReturn(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
): readonly ResourceContents[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [{ uri, mimeType: mimeType ?? 'text/plain', text: value }];
  if (value instanceof Uint8Array) {
    return [withType({ uri, blob: Buffer.from(value).toString('base64') }, mimeType ?? 'application/octet-stream')];
  }
  if (isFields(value) && hasOnly(value, ['contents', '_meta']) && Array.isArray(value['contents'])) {
    return value['contents'].map((part) => completePart(part, uri, mimeType));
  }
  if (isBlobPart(value)) return [completePart(value, uri, mimeType)];
  return [{ uri, mimeType: mimeType ?? 'application/json', text: jsonOf(value) }];
}

function isBlobPart(value: unknown): boolean {
  return isFields(value) && typeof value['blob'] === 'string' && hasOnly(value, PART_FIELDS);
}

function completePart(part: unknown, uri: string, mimeType: string | undefined): ResourceContents {
  if (!isFields(part) || !hasOnly(part, PART_FIELDS)) {
    throw new ResultError('Each of the contents of a resource needs "text" or "blob", and may have "uri", "mimeType" and "_meta".');
  }
  const { text, blob } = part as ResourcePart;
  if ((typeof text === 'string') === (typeof blob === 'string')) {
    throw new ResultError('Each of the contents of a resource needs either "text" or "blob".');
  }
  return withType({ uri, ...part } as ResourceContents, (part['mimeType'] as string | undefined) ?? mimeType);
}

function withType(contents: ResourceContents, mimeType: string | undefined): ResourceContents {
  return mimeType === undefined ? contents : { ...contents, mimeType };
}

import { isContentAnnotations } from '../../model/annotation.rules.js';
import type { ContentBlock, ResourceContents } from '../../model/content.js';
import { isFields, type Fields } from '../../model/fields.js';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const absentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** The fields of each type of block; a value with any other field is not a block. */
const BLOCKS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  text: { text: isText },
  image: { data: isText, mimeType: isText },
  audio: { data: isText, mimeType: isText },
  resource_link: {
    uri: isText,
    name: isText,
    title: absentOr(isText),
    description: absentOr(isText),
    mimeType: absentOr(isText),
    size: absentOr(Number.isFinite),
    icons: absentOr(Array.isArray),
  },
  resource: { resource: (value) => isResourceContents(value) },
};

const EXTRAS: Readonly<Record<string, Check>> = {
  annotations: absentOr(isContentAnnotations),
  _meta: absentOr((value) => isFields(value)),
};

export const hasOnly = (value: Fields, allowed: readonly string[]): boolean =>
  Object.keys(value).every((key) => allowed.includes(key));

/** Recognises a content block by its exact shape, since interceptors may copy values. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isFields(value) || typeof value['type'] !== 'string') return false;
  if (!Object.hasOwn(BLOCKS, value['type'])) return false;
  const checks = { ...BLOCKS[value['type']], ...EXTRAS };
  return (
    Object.entries(checks).every(([field, check]) => check(value[field])) &&
    hasOnly(value, ['type', ...Object.keys(checks)])
  );
}

const CONTENTS_FIELDS = ['uri', 'mimeType', 'text', 'blob', '_meta'];

/** One part of a resource: either text or binary. */
export function isResourceContents(value: unknown): value is ResourceContents {
  return (
    isFields(value) &&
    hasOnly(value, CONTENTS_FIELDS) &&
    isText(value['uri']) &&
    isText(value['text']) !== isText(value['blob']) &&
    absentOr(isText)(value['text']) &&
    absentOr(isText)(value['blob']) &&
    absentOr(isText)(value['mimeType']) &&
    absentOr(isFields)(value['_meta'])
  );
}

import type { ContentBlock, ResourceContents } from '../../model/content.js';

type Fields = Readonly<Record<string, unknown>>;

const EXTRAS = ['annotations', '_meta'];

/** Which fields each type of block must and may have. */
const BLOCKS: Readonly<Record<string, { required: readonly string[]; optional: readonly string[] }>> = {
  text: { required: ['text'], optional: [] },
  image: { required: ['data', 'mimeType'], optional: [] },
  audio: { required: ['data', 'mimeType'], optional: [] },
  resource_link: { required: ['uri', 'name'], optional: ['title', 'description', 'mimeType', 'size', 'icons'] },
  resource: { required: [], optional: ['resource'] },
};

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const hasOnly = (value: Fields, allowed: readonly string[]): boolean =>
  Object.keys(value).every((key) => allowed.includes(key));

/** Tells a content block from other JSON by its exact shape, which survives interceptors that copy values. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isFields(value) || typeof value['type'] !== 'string') return false;
  const shape = Object.hasOwn(BLOCKS, value['type']) ? BLOCKS[value['type']] : undefined;
  if (shape === undefined) return false;
  if (!shape.required.every((field) => typeof value[field] === 'string')) return false;
  if (value['type'] === 'resource' && !isResourceContents(value['resource'])) return false;
  return hasOnly(value, ['type', ...shape.required, ...shape.optional, ...EXTRAS]);
}

function isResourceContents(value: unknown): value is ResourceContents {
  return (
    isFields(value) &&
    typeof value['uri'] === 'string' &&
    (typeof value['text'] === 'string') !== (typeof value['blob'] === 'string')
  );
}

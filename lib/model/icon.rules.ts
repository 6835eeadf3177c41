import { isFields } from './fields.js';
import { findMemberFault, type MetadataFault, type MemberRule } from './metadata-fault.js';

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;
const SIZE = /^(?:any|[1-9]\d*x[1-9]\d*)$/;

/** Clients must refuse all other schemes, including `http:`. */
const isSource: MemberRule = (value) =>
  typeof value === 'string' && isUrl(value)
    ? undefined
    : 'it must be an https: or data: URL, since clients refuse all others. Serve the picture by https:, or put it into a data: URL.';

const MEMBERS: Readonly<Record<string, MemberRule>> = {
  src: isSource,
  mimeType: (value) =>
    typeof value === 'string' && MEDIA_TYPE.test(value) ? undefined : 'it must be a media type, such as "image/png".',
  sizes: (value) =>
    Array.isArray(value) && value.every((size) => typeof size === 'string' && SIZE.test(size))
      ? undefined
      : 'it must be a list of sizes such as "48x48", or "any" for pictures that scale.',
  theme: (value) => (value === 'light' || value === 'dark' ? undefined : 'it must be "light" or "dark".'),
};

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#icons */
export function findIconFault(icons: unknown): MetadataFault | undefined {
  if (!Array.isArray(icons)) return { place: '', reason: 'it must be a list of { src, mimeType, sizes, theme }.' };
  for (const [index, icon] of icons.entries()) {
    const place = `[${index}]`;
    if (!isFields(icon)) return { place, reason: 'it must be an object with the URL of a picture as "src".' };
    const fault =
      icon['src'] === undefined ? { place: `${place}.src`, reason: isSource(undefined) as string } : undefined;
    const found = fault ?? findMemberFault(icon, { known: MEMBERS }, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isUrl(text: string): boolean {
  if (/^data:/i.test(text)) return text.includes(',');
  return /^https:\/\//i.test(text) && !/\s/.test(text) && URL.canParse(text);
}

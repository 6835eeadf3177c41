import { matchTemplate } from './uri-template.matcher.js';
import type { OpenSegment, ParsedTemplate, Segment, SingleSegment } from './uri-template.parser.js';

const FILLER = 'x';

/**
 * A URI that both templates match, or `undefined`. Complete unless a template uses one variable twice in authority and
 * path: then a common URI may exist that is not found.
 */
export function findCommonUri(one: ParsedTemplate, other: ParsedTemplate): string | undefined {
  if (one.scheme !== other.scheme) return undefined;
  const authority = commonText(one.authority, other.authority);
  const path = commonPath(one.path, other.path);
  if (authority === undefined || path === undefined) return undefined;
  // Query parameters are optional, so a URI without a query is the one most likely to match both.
  const uri = `${one.scheme}://${[authority, ...path].join('/')}`;
  const shared = matchTemplate(one, uri).kind === 'match' && matchTemplate(other, uri).kind === 'match';
  return shared ? uri : undefined;
}

interface Shape {
  readonly before: readonly SingleSegment[];
  readonly open: OpenSegment | undefined;
  readonly after: readonly SingleSegment[];
}

function shapeOf(path: readonly Segment[]): Shape {
  const before: SingleSegment[] = [];
  const after: SingleSegment[] = [];
  let open: OpenSegment | undefined;
  for (const segment of path) {
    if (segment.kind === 'rest' || segment.kind === 'list') open = segment;
    else if (open === undefined) before.push(segment);
    else after.push(segment);
  }
  return { before, open, after };
}

/**
 * The longest useful path has the fewest constraints: if both templates are open-ended, no segment before the gap of
 * one meets a segment after the gap of the other.
 */
function commonPath(one: readonly Segment[], other: readonly Segment[]): string[] | undefined {
  const shapes = [shapeOf(one), shapeOf(other)] as const;
  const length = commonLength(shapes[0], shapes[1]);
  if (length === undefined) return undefined;
  const texts: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const text = commonText(segmentAt(shapes[0], index, length), segmentAt(shapes[1], index, length));
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

function commonLength(one: Shape, other: Shape): number | undefined {
  const lengths = [one, other].map(({ before, open, after }) => before.length + after.length + (open ? 1 : 0));
  const [first = 0, second = 0] = lengths;
  if (one.open && other.open) {
    return Math.max(one.before.length, other.before.length) + Math.max(one.after.length, other.after.length) + 1;
  }
  if (one.open) return second >= first ? second : undefined;
  if (other.open) return first >= second ? first : undefined;
  return first === second ? first : undefined;
}

/** `undefined` where the open-ended variable takes the place and any text fits. */
function segmentAt({ before, after }: Shape, index: number, length: number): SingleSegment | undefined {
  return before[index] ?? after[index - (length - after.length)];
}

/** The prefixes and suffixes of both, around filler text; the matcher decides whether both accept it. */
function commonText(one: SingleSegment | undefined, other: SingleSegment | undefined): string | undefined {
  if (one?.kind === 'literal') return one.text;
  if (other?.kind === 'literal') return other.text;
  const prefix = longer(one?.prefix ?? '', other?.prefix ?? '');
  const suffix = longer(one?.suffix ?? '', other?.suffix ?? '');
  return prefix + FILLER + suffix;
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}

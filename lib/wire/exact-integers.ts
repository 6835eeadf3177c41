/** Cannot occur in an accepted text, so a string that starts with it was marked here. */
const MARK = '\ud800';

/** Paths at which a message may contain an integer that must be returned exactly. */
const EXACT_PLACES: readonly (readonly string[])[] = [
  ['id'],
  ['params', 'requestId'],
  ['params', '_meta', 'progressToken'],
];

/** Position of a literal in a JSON text. */
export type Span = readonly [start: number, end: number];

/** Parses the text again with its big integers replaced by marked strings. */
function parseMarked(text: string, spans: readonly Span[]): unknown {
  let marked = '';
  let position = 0;
  for (const [start, end] of spans) {
    marked += `${text.slice(position, start)}"${MARK}${text.slice(start, end)}"`;
    position = end;
  }
  return JSON.parse(marked + text.slice(position));
}

/**
 * Replaces ids and progress tokens beyond ±(2^53 - 1) by exact `bigint` values; all other integers stay as `JSON.parse`
 * returned them.
 */
export function restoreExactIntegers(value: unknown, text: string, spans: readonly Span[]): void {
  const marked = parseMarked(text, spans);
  for (const place of EXACT_PLACES) {
    const parents = place.slice(0, -1);
    const key = place.at(-1) as string;
    const literal = ownMember(descend(marked, parents), key);
    if (typeof literal !== 'string' || !literal.startsWith(MARK)) continue;
    (descend(value, parents) as Record<string, unknown>)[key] = BigInt(literal.slice(MARK.length));
  }
}

/** Returns the digits of such an integer at a path of an accepted text; `undefined` for any other value. */
export function readExactInteger(text: string, spans: readonly Span[], path: readonly string[]): string | undefined {
  const literal = descend(parseMarked(text, spans), path);
  return typeof literal === 'string' && literal.startsWith(MARK) ? literal.slice(MARK.length) : undefined;
}

function descend(value: unknown, path: readonly string[]): unknown {
  return path.reduce(ownMember, value);
}

function ownMember(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

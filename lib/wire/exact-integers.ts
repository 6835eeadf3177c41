/** Cannot stand in an accepted text, so a string that starts with it is one of ours. */
const MARK = '\ud800';

/** Where a message may hold an integer that has to be told back exactly. */
const EXACT_PLACES: readonly (readonly string[])[] = [
  ['id'],
  ['params', 'requestId'],
  ['params', '_meta', 'progressToken'],
];

/** Place of a literal in a JSON text. */
export type Span = readonly [start: number, end: number];

/** Parses the text once more with its big integers kept as marked strings. */
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
 * Makes ids and progress tokens beyond ±(2^53 - 1) exact again, as `bigint`; all other integers stay the numbers that
 * `JSON.parse` made of them.
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

/** The digits at a place where an accepted text has such an integer; `undefined` where it has anything else. */
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

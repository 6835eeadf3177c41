import type { Finding } from '../boot-audit/audit.js';
import type { AuthorPattern } from '../boot-audit/author-patterns.js';

type IsSafePattern = typeof import('redos-detector').isSafePattern;

/** Time for one pattern, in milliseconds. A pattern that takes longer can match one text in very many ways. */
const TIMEOUT_MS = 2_000;
/** In how many ways a pattern may match the same text. */
const MAX_WAYS = 200;
/** Maximum number of characters of a pattern that are printed. */
const MAX_PRINTED = 80;

/** By pattern: components of several servers have the same patterns. */
const verdicts = new Map<string, boolean>();

/** Finds patterns whose time grows faster than the text of a client, so that one call could block the process. */
export async function judgePatterns(patterns: readonly AuthorPattern[]): Promise<readonly Finding[]> {
  if (patterns.length === 0) return [];
  const { isSafePattern } = await import('redos-detector');
  return patterns.flatMap(({ owner, place, pattern }) => {
    const isSlow = verdicts.get(pattern) ?? mayBeSlow(pattern, isSafePattern);
    verdicts.set(pattern, isSlow);
    return isSlow ? [{ check: 'slow-pattern', text: describe(owner, place, pattern) }] : [];
  });
}

/** Schemas are checked with the flag `u` where the pattern allows it. */
function mayBeSlow(pattern: string, isSafePattern: IsSafePattern): boolean {
  for (const unicode of [true, false]) {
    try {
      return !isSafePattern(pattern, { unicode, maxScore: MAX_WAYS, timeout: TIMEOUT_MS }).safe;
    } catch {
      // The analysis does not support this syntax.
    }
  }
  return false;
}

function describe(owner: string, place: string, pattern: string): string {
  const subject = place === '' ? 'its arguments' : `"${place}"`;
  const printed = pattern.length > MAX_PRINTED ? `${pattern.slice(0, MAX_PRINTED)}…` : pattern;
  return `${owner}: the pattern ${printed} of ${subject} may take very long for a long text, and one call could stop the process. Begin it with ^, and let no two repetitions in it match the same characters.`;
}

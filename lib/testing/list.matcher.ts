import { verdict, whenReceived, type MatcherContext, type MatcherResult, type Received } from './matcher.js';

interface Listed {
  readonly name?: unknown;
  readonly uri?: unknown;
  readonly uriTemplate?: unknown;
}

export function listMatcher(
  this: MatcherContext,
  subject: unknown,
  ...names: readonly string[]
): MatcherResult | Promise<MatcherResult> {
  if (names.length === 0) throw new TypeError('toList() needs the name of at least one component.');
  return whenReceived(subject, (received) => {
    const listed = namesIn(received);
    const isThere = (name: string): boolean => listed?.has(name) === true;
    const passes = this.isNot === true ? names.some(isThere) : names.every(isThere);
    // What is no list at all fails both ways.
    const pass = listed === undefined ? this.isNot === true : passes;
    return verdict(pass, this, `a list with ${names.map((name) => `"${name}"`).join(', ')}`, summary(received, listed));
  });
}

function namesIn(received: Received): ReadonlySet<unknown> | undefined {
  if (received.kind === 'thrown' || !Array.isArray(received.value)) return undefined;
  const components = received.value as readonly (Listed | null)[];
  return new Set(
    components.flatMap((component) =>
      [component?.name, component?.uri, component?.uriTemplate].filter((name) => name !== undefined),
    ),
  );
}

/** Whole definitions would hide what is missing. */
function summary(received: Received, listed: ReadonlySet<unknown> | undefined): Received {
  return listed === undefined ? received : { kind: 'value', value: [...listed] };
}

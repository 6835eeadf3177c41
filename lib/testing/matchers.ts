import { refusalMatcher, type ExpectedRefusal } from './refusal.matcher.js';
import { toolErrorMatcher, toolJsonMatcher, toolTextMatcher } from './tool.matchers.js';
import { show, verdict, whenReceived, type MatcherContext, type MatcherResult, type Received } from './matcher.js';

/** Awaited where what is expected is still to come. */
export type Verdict<R, T> = T extends PromiseLike<unknown> | ((...args: never[]) => unknown) ? Promise<R> : R;

/**
 * Matchers for what an MCP client gets, to be merged into the types of Jest or Vitest.
 *
 * @publicApi
 */
export interface McpMatchers<R = void, T = unknown> {
  /** A tool's result with this text (blocks joined by line breaks), and no failure. */
  toBeToolText(expected?: string | RegExp): Verdict<R, T>;
  /** A tool's result with this structured content, and no failure. */
  toBeToolJson(expected: unknown): Verdict<R, T>;
  /** A tool's result that says that it failed, in these words. */
  toBeToolError(expected?: string | RegExp): Verdict<R, T>;
  /** A request that the server answered with an error: of this code, or of these words or data. */
  toBeRefused(expected?: number | ExpectedRefusal): Verdict<R, T>;
  /** What `client.request()` gives where the server asks these questions before it answers. */
  toAsk(...keys: readonly string[]): Verdict<R, T>;
  /** A list with a component of each of these names, or URIs; after `not`, with none of them. */
  toList(...names: readonly string[]): Verdict<R, T>;
}

/**
 * For `expect.extend(mcpMatchers)` of Jest and Vitest. Each takes a result, or a promise of one.
 *
 * @publicApi
 */
export const mcpMatchers = {
  toBeToolText: toolTextMatcher,
  toBeToolJson: toolJsonMatcher,
  toBeToolError: toolErrorMatcher,
  toBeRefused: refusalMatcher,
  toAsk: roundMatcher,
  toList: listMatcher,
};

function roundMatcher(
  this: MatcherContext,
  subject: unknown,
  ...keys: readonly string[]
): MatcherResult | Promise<MatcherResult> {
  const wanted = `a result that asks ${keys.length === 0 ? 'for input' : keys.map(show).join(', ')}`;
  return whenReceived(subject, (received) => {
    const asked = keysIn(received);
    const pass = asked !== undefined && keys.every((key) => asked.includes(key));
    return verdict(pass, this, wanted, received);
  });
}

function keysIn(received: Received): readonly string[] | undefined {
  if (received.kind === 'thrown') return undefined;
  const { resultType, inputRequests } = (received.value ?? {}) as { resultType?: unknown; inputRequests?: object };
  return resultType === 'input_required' ? Object.keys(inputRequests ?? {}) : undefined;
}

interface Listed {
  readonly name?: unknown;
  readonly uri?: unknown;
  readonly uriTemplate?: unknown;
}

function listMatcher(
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

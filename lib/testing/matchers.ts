import { refusalMatcher, type ExpectedRefusal } from './refusal.matcher.js';
import { toolErrorMatcher, toolJsonMatcher, toolTextMatcher } from './tool.matchers.js';
import { show, verdict, whenReceived, type MatcherContext, type MatcherResult, type Received } from './matcher.js';

/** A promise if the received value is a promise. */
export type Verdict<R, T> = T extends PromiseLike<unknown> | ((...args: never[]) => unknown) ? Promise<R> : R;

/**
 * Matchers for what an MCP client gets; merge them into the types of Jest or Vitest.
 *
 * @publicApi
 */
export interface McpMatchers<R = void, T = unknown> {
  /** A tool's result with this text (blocks joined by line breaks) that is not an error. */
  toBeToolText(expected?: string | RegExp): Verdict<R, T>;
  /** A tool's result with this structured content that is not an error. */
  toBeToolJson(expected: unknown): Verdict<R, T>;
  /** A tool's result that is an error, with this text. */
  toBeToolError(expected?: string | RegExp): Verdict<R, T>;
  /** A request that the server answered with an error of this code, message or data. */
  toBeRefused(expected?: number | ExpectedRefusal): Verdict<R, T>;
  /** A result of `client.request()` with which the server asks these questions. */
  toAsk(...keys: readonly string[]): Verdict<R, T>;
  /** A list with a component of each of these names or URIs; after `not`, with none of them. */
  toList(...names: readonly string[]): Verdict<R, T>;
}

/**
 * For `expect.extend(mcpMatchers)` of Jest and Vitest. Each matcher takes a result, or a promise of a result.
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
    // A value that is not a list fails with and without `not`.
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

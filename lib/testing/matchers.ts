import { listMatcher } from './list.matcher.js';
import { refusalMatcher, type ExpectedRefusal } from './refusal.matcher.js';
import { roundMatcher } from './round.matcher.js';
import { toolErrorMatcher, toolJsonMatcher, toolTextMatcher } from './tool.matchers.js';

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

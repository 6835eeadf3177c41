import type { McpExecutionContext } from '../dispatch/mcp-execution-context.js';

/**
 * How many calls a {@link RateLimitInterceptor} lets through. The class is also the token under which an app provides
 * them for interceptors that it binds by class.
 *
 * @publicApi
 */
export abstract class RateLimitOptions {
  /**
   * Calls that one caller may make of one component in each window.
   *
   * @default 60
   */
  readonly limit?: number;
  /**
   * Length of a window in milliseconds; it begins with the first call.
   *
   * @default 60_000
   */
  readonly windowMs?: number;
  /**
   * Says who calls; whoever gets the same answer shares a limit. What it throws fails the call.
   *
   * @default what a guard said about the caller, or else the address of the client
   */
  readonly by?: (context: McpExecutionContext) => string | number;
}

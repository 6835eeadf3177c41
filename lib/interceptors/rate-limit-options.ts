import type { McpExecutionContext } from '../dispatch/mcp-execution-context.js';

/**
 * Limits of a {@link RateLimitInterceptor}. The class is also the token under which an app provides them for
 * interceptors that it binds by class.
 *
 * @publicApi
 */
export abstract class RateLimitOptions {
  /**
   * Maximum number of calls that one caller may make of one component in each window.
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
   * Identifies the caller; all calls with the same key share a limit. If it throws, the call fails.
   *
   * the caller that a guard stored, or else the address of the client
   */
  readonly by?: (context: McpExecutionContext) => string | number;
}

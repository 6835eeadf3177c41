/**
 * Stores the counts of rate limits. Provide your own where several instances of the app have to share limits.
 *
 * @publicApi
 */
export abstract class RateLimitStore {
  /**
   * Counts a call and returns 0, or does not count it and returns the milliseconds until a call is possible.
   *
   * @param key identifies caller and component; no client can choose a text that equals the key of another caller.
   * @param limit maximum number of calls in one window.
   * @param windowMs length of a window, which begins with its first call.
   */
  abstract take(key: string, limit: number, windowMs: number): number | Promise<number>;
}

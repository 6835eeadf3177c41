/**
 * Keeps the counts of rate limits. Provide one of your own where several instances of the app have to count together.
 *
 * @publicApi
 */
export abstract class RateLimitStore {
  /**
   * Counts a call and returns 0, or leaves the count as it is and returns after how many milliseconds there is room again.
   *
   * @param key whose calls of what are counted; text that no client can make collide with another.
   * @param limit calls in one window.
   * @param windowMs length of a window, which begins with its first call.
   */
  abstract take(key: string, limit: number, windowMs: number): number | Promise<number>;
}

/** The same choices for the same seed, on every machine (mulberry32). */
export class SeededRandom {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but without, 1. */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number between both, which are included. */
  between(least, most) {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability) {
    return this.fraction() < probability;
  }

  pick(items) {
    return items[this.between(0, items.length - 1)];
  }

  /** One of `[item, weight]`, the heavier the more often. */
  weighted(pairs) {
    const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.fraction() * total;
    return (pairs.find(([, weight]) => (left -= weight) < 0) ?? pairs[0])[0];
  }

  /** A generator of its own for somebody, independent of how often the others ask. */
  fork() {
    return new SeededRandom(this.between(0, 2 ** 32 - 1));
  }
}

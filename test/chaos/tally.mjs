const SHOWN = 20;

/** What happened, by kind, and what should not have. */
export class Tally {
  #counts = new Map();
  #wrong = new Map();

  count(kind) {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** Equal reasons are told once, with their number. */
  wrong(reason) {
    this.#wrong.set(reason, (this.#wrong.get(reason) ?? 0) + 1);
  }

  of(kind) {
    return this.#counts.get(kind) ?? 0;
  }

  get reasons() {
    const reasons = [...this.#wrong].map(([reason, count]) => (count === 1 ? reason : `${reason} (${count} times)`));
    const more = reasons.length - SHOWN;
    return more > 0 ? [...reasons.slice(0, SHOWN), `and ${more} other reasons`] : reasons;
  }

  get summary() {
    return [...this.#counts]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ');
  }
}

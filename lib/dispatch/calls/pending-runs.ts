/** Settles as a run does; without a value, and at once, when whoever waits for it leaves before. */
export function unlessLeft<T>(run: Promise<T>, onLeave: (leave: () => void) => void): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    onLeave(() => resolve(undefined));
    run.then(resolve, reject);
  });
}

/** Whoever awaits it gets its error; whoever does not must not bring the process down. */
export function handled<T>(pending: Promise<T>): Promise<T> {
  pending.catch(() => undefined);
  return pending;
}

/** Settles as `run` does, but resolves at once to `undefined` when `leave` is called first. */
export function unlessLeft<T>(run: Promise<T>, onLeave: (leave: () => void) => void): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    onLeave(() => resolve(undefined));
    run.then(resolve, reject);
  });
}

/** Rejects for code that awaits it; otherwise a rejection must not end the process. */
export function handled<T>(pending: Promise<T>): Promise<T> {
  pending.catch(() => undefined);
  return pending;
}

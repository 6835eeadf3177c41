/** Whoever awaits it gets its error; whoever does not must not bring the process down. */
export function handled<T>(pending: Promise<T>): Promise<T> {
  pending.catch(() => undefined);
  return pending;
}

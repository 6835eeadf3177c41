const RUNS = 5;

/** Microseconds of CPU that something synchronous takes: the best of several runs, since other work only adds to it. */
export function cpuCostOf(run: () => void): number {
  let best = Infinity;
  for (let turn = 0; turn < RUNS; turn += 1) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return best;
}

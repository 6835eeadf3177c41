import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import autocannon from 'autocannon';

/** On the only core there is, it would keep the server from working. */
const MAY_STAY_AWAKE = cpus().length > 1;

/** Sends requests when asked to and says how it went. Latencies are taken from each response, since the histogram has whole milliseconds. */
process.on('message', ({ id, options }) => {
  run(options).then(
    (answer) => process.send({ id, answer }),
    (error) => process.send({ id, failure: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });

function run({ url, headers, body, frames, connections, seconds, amount }) {
  const latencies = [];
  let started = performance.now();
  let ended = started;
  const vigil = new Vigil(() => latencies.length);
  const limit = amount === undefined ? { duration: seconds } : { amount };
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      { url, method: 'POST', headers, body, connections, sampleInt: 50, timeout: 30, ...limit, ...counting(frames) },
      (error, { errors, timeouts, non2xx, mismatches }) => {
        const clientBusy = vigil.end();
        if (error) return reject(error);
        if (errors + timeouts + non2xx > 0)
          return reject(new Error(`${errors} errors, ${non2xx} refusals from ${url}`));
        if (mismatches > 0) return reject(new Error(`${mismatches} answers from ${url} are not of ${frames} frames`));
        resolve({
          count: latencies.length,
          perSecond: (latencies.length / (ended - started)) * 1_000,
          p50: latencies.sort((a, b) => a - b)[Math.floor(latencies.length / 2)],
          clientBusy,
        });
      },
    );
    instance.on('start', () => {
      started = performance.now();
    });
    instance.on('response', (_client, _status, _bytes, latency) => {
      latencies.push(latency);
      ended = performance.now();
    });
  });
}

/**
 * Keeps this process from falling asleep. Whoever writes to a process that sleeps pays for waking it, several microseconds
 * on a virtual machine, so servers that are a little slower than the load generator would pay for each of their answers,
 * and those that keep it busy would not.
 */
class Vigil {
  #answered;
  #seen = 0;
  #began = performance.now();
  #last = this.#began;
  #idleMs = 0;
  #watching = MAY_STAY_AWAKE;
  #slept = performance.eventLoopUtilization();

  constructor(answered) {
    this.#answered = answered;
    this.#watch();
  }

  /** Share of the time in which there was something to do. */
  end() {
    const wasAwake = this.#watching;
    this.#watching = false;
    if (!wasAwake) return performance.eventLoopUtilization(this.#slept).utilization;
    return 1 - this.#idleMs / (performance.now() - this.#began);
  }

  #watch() {
    if (!this.#watching) return;
    const now = performance.now();
    const answered = this.#answered();
    if (answered === this.#seen) this.#idleMs += now - this.#last;
    this.#seen = answered;
    this.#last = now;
    setImmediate(() => this.#watch());
  }
}

/** Counts the frames of every streamed answer, so that none is lost unnoticed. */
function counting(frames) {
  return frames === undefined ? {} : { verifyBody: (body) => (body.match(/^data:/gm)?.length ?? 0) === frames };
}

import { performance } from 'node:perf_hooks';
import autocannon from 'autocannon';

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
  const before = performance.eventLoopUtilization();
  const limit = amount === undefined ? { duration: seconds } : { amount };
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      { url, method: 'POST', headers, body, connections, sampleInt: 50, timeout: 30, ...limit, ...counting(frames) },
      (error, { errors, timeouts, non2xx, mismatches }) => {
        if (error) return reject(error);
        if (errors + timeouts + non2xx > 0)
          return reject(new Error(`${errors} errors, ${non2xx} refusals from ${url}`));
        if (mismatches > 0) return reject(new Error(`${mismatches} answers from ${url} are not of ${frames} frames`));
        resolve({
          count: latencies.length,
          perSecond: (latencies.length / (ended - started)) * 1_000,
          p50: latencies.sort((a, b) => a - b)[Math.floor(latencies.length / 2)],
          clientBusy: performance.eventLoopUtilization(before).utilization,
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

/** Counts the frames of every streamed answer, so that none is lost unnoticed. */
function counting(frames) {
  return frames === undefined ? {} : { verifyBody: (body) => (body.match(/^data:/gm)?.length ?? 0) === frames };
}

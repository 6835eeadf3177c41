import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import { monotonicMs } from './clock.mjs';

/**
 * The runner's ear inside a server: says where the server listens, then answers what the runner asks. It costs nothing
 * between questions. `publish` tells open streams that the tools have changed.
 */
export function announce(port, publish) {
  publishChange = publish;
  process.on('message', ({ question, id, options }) => {
    void QUESTIONS[question](options).then((answer) => process.send({ id, answer }));
  });
  process.on('disconnect', () => process.exit(0));
  process.send({ port });
}

const SAMPLING = {
  samplingInterval: 4_096,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
};

let session;
let publishChange;

const QUESTIONS = {
  async usage() {
    const { user, system } = process.cpuUsage();
    const { active } = performance.eventLoopUtilization();
    return { cpuMicroseconds: user + system, activeMs: active, rssBytes: process.memoryUsage.rss() };
  },

  /** Live bytes. The second collection takes what finalizers of the first let go. */
  async heap() {
    session = new Session();
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    await new Promise(setImmediate);
    await session.post('HeapProfiler.collectGarbage');
    session.disconnect();
    return process.memoryUsage().heapUsed;
  },

  /** When it began. */
  async publish() {
    const began = monotonicMs();
    await publishChange();
    return began;
  },

  /** Every allocation counts, whether it survived or not, so the sum does not depend on when the collector ran. */
  async startAllocations() {
    session = new Session();
    session.connect();
    await session.post('HeapProfiler.startSampling', SAMPLING);
  },

  async stopAllocations() {
    const { profile } = await session.post('HeapProfiler.stopSampling');
    session.disconnect();
    return profile;
  },

  async startCpuProfile() {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  },

  async stopCpuProfile() {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return profile;
  },
};

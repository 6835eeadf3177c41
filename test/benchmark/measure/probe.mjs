import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';

/**
 * The runner's ear inside a server: says where the server listens, then answers what the runner asks. It costs nothing
 * between questions.
 */
export function announce(port) {
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

const QUESTIONS = {
  async usage() {
    const { user, system } = process.cpuUsage();
    const { active } = performance.eventLoopUtilization();
    return { cpuMicroseconds: user + system, activeMs: active, rssBytes: process.memoryUsage.rss() };
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

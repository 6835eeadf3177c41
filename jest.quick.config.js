import base from './jest.config.js';
import { listSpecs, SLOW_SPEC, writeBatches } from './scripts/spec-batches.mjs';

const quickSpecs = (...folders) => folders.flatMap(listSpecs).filter((path) => !SLOW_SPEC.test(path));

/** What `npm test` runs: all specs but the slow ones, many to a file. */
const files = writeBatches('quick', {
  unit: quickSpecs('test/unit'),
  integration: quickSpecs('test/integration', 'test/architecture'),
  e2e: quickSpecs('test/e2e'),
});

export default { ...base, testMatch: files.map((path) => `<rootDir>/${path}`) };

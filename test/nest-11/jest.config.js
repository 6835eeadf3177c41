import base from '../../jest.config.js';
import { listSpecs, SLOW_SPEC, writeBatches } from '../../scripts/spec-batches.mjs';

const specs = listSpecs('test/e2e');
const files = [
  ...writeBatches('nest-11', { e2e: specs.filter((path) => !SLOW_SPEC.test(path)) }),
  ...specs.filter((path) => SLOW_SPEC.test(path)),
  'test/nest-11/copies.spec.ts',
];

/** The end-to-end specs, unchanged, over the built package and this folder's copies of the framework. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: files.map((path) => `<rootDir>/${path}`),
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/test/consumers/'],
  resolver: '<rootDir>/test/nest-11/framework.resolver.cjs',
};

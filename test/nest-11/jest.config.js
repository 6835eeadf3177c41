import base from '../../jest.config.js';

/** The end-to-end specs, unchanged, over the built package and this folder's copies of the framework. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/e2e/**/*.spec.ts', '<rootDir>/test/nest-11/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/test/consumers/'],
  resolver: '<rootDir>/test/nest-11/framework.resolver.cjs',
};

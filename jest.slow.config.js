import base from './jest.config.js';

/** What `npm run test:slow` runs: specs that start processes, pack, bundle or bring load, and those of the samples. */
export default { ...base, testMatch: ['<rootDir>/test/**/*.slow.spec.ts', '<rootDir>/sample/**/*.spec.ts'] };

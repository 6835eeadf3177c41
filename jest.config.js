export default {
  testEnvironment: 'node',
  rootDir: '.',
  maxWorkers: '100%',
  // Modules that were loaded stay in memory, and a test that collects garbage looks at all of it.
  workerIdleMemoryLimit: '1GB',
  // For tests that hang. Nothing here waits that long by itself, but a busy machine takes its time.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/jest.closing-line.js'],
  testMatch: ['<rootDir>/test/**/*.spec.ts', '<rootDir>/sample/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/nest-11/', '<rootDir>/test/consumers/'],
  modulePathIgnorePatterns: [
    '<rootDir>/test/nest-11/',
    '<rootDir>/test/consumers/',
    '<rootDir>/\\.build/',
    '<rootDir>/\\.cache/',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  coverageProvider: 'v8',
  collectCoverageFrom: ['lib/**/*.ts'],
};

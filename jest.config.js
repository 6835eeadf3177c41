export default {
  testEnvironment: 'node',
  rootDir: '.',
  maxWorkers: '100%',
  // Modules that were loaded stay in memory, and a test that collects garbage looks at all of it.
  workerIdleMemoryLimit: '1GB',
  // A busy machine takes its time to start an app; nothing here waits that long by itself.
  testTimeout: 20_000,
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

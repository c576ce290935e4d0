const { availableParallelism } = require('node:os');

const shared = {
  // Not in the temporary folder, which is another one at each run of `scripts/test`.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
};

/**
 * Three projects, fastest first: `unit` needs nothing, `integration` real servers and containers, `e2e` the whole
 * stack.
 * @type {import('jest').Config}
 */
module.exports = {
  // Files that run at once: most of them wait for servers and containers, so there is one more than processors.
  maxWorkers: availableParallelism() + 1,
  // For what hangs, not for what is slow: whatever else the machine does, no test fails for it.
  testTimeout: 600_000,
  testSequencer: '<rootDir>/tests/support/fast-first-sequencer.cjs',
  reporters: ['default', '<rootDir>/tests/support/summary-reporter.cjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.integration\\.test\\.ts$', '\\.e2e\\.test\\.ts$'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/tests/**/*.integration.test.ts'],
    },
    { ...shared, displayName: 'e2e', testMatch: ['<rootDir>/tests/**/*.e2e.test.ts'] },
  ],
};

// One configuration, a project for what is needed: "unit" nothing, "integration" PostgreSQL and RabbitMQ, "browser" a
// browser, "e2e" that and the whole system, "faults" a whole system of the test's own, which it hurts, "docker" an engine. The
// file name says which: x.test.ts, x.db.test.ts, x.browser.test.ts, x.e2e.test.ts, x.faults.test.ts, x.docker.test.ts.
const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '/.local/'],
  modulePathIgnorePatterns: ['/.local/'],
};

/** Node loads the files, in the worker's own realm (ADR 0166). */
const native = {
  testRunner: '<rootDir>/tools/testing/native-runner.mjs',
  testEnvironment: '<rootDir>/tools/testing/native-environment.mjs',
  transform: {},
  injectGlobals: false,
};

export default {
  // Bounds what hangs; no test waits for time to pass. Virtual machines were seen that got a tenth of their cores for
  // minutes, so no test and no wait of one has a shorter bound of its own.
  testTimeout: 600_000,
  testSequencer: './tools/testing/scan-last.mjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      ...native,
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/.local/',
        '\\.db\\.test\\.ts$',
        '\\.browser\\.test\\.ts$',
        '\\.e2e\\.test\\.ts$',
        '\\.faults\\.test\\.ts$',
        '\\.docker\\.test\\.ts$',
      ],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['**/*.db.test.ts'],
      globalSetup: './tools/testing/infrastructure.ts',
      globalTeardown: './tools/testing/infrastructure-down.ts',
    },
    {
      ...shared,
      displayName: 'browser',
      ...native,
      testMatch: ['**/*.browser.test.ts'],
      globalSetup: './tools/testing/browser.ts',
    },
    {
      ...shared,
      displayName: 'e2e',
      ...native,
      testMatch: ['**/*.e2e.test.ts'],
      globalSetup: './tools/testing/system.ts',
      globalTeardown: './tools/testing/system-down.ts',
    },
    {
      ...shared,
      displayName: 'faults',
      ...native,
      testMatch: ['**/*.faults.test.ts'],
      globalSetup: './tools/testing/abandoned.ts',
    },
    { ...shared, displayName: 'docker', ...native, testMatch: ['**/*.docker.test.ts'] },
  ],
};

// One configuration, a project for what is needed: "unit" nothing, "integration" PostgreSQL and RabbitMQ, "browser" a
// browser, "e2e" that and the whole system, "faults" a whole system of the test's own, which it hurts, "docker" an engine. The
// file name says which: x.test.ts, x.db.test.ts, x.browser.test.ts, x.e2e.test.ts, x.faults.test.ts, x.docker.test.ts.
const shared = {
  // Node loads the files, in the worker's own realm (decisions/tests).
  testRunner: '<rootDir>/tools/testing/native-runner.mjs',
  testEnvironment: '<rootDir>/tools/testing/native-environment.mjs',
  transform: {},
  injectGlobals: false,
  testPathIgnorePatterns: ['/node_modules/', '/.local/'],
  modulePathIgnorePatterns: ['/.local/'],
};

/** Files that run one after the other in a worker: what one leaves open, the next would have to live with. */
const closing = { testEnvironmentOptions: { closesAll: true } };

export default {
  // Bounds what hangs; no test waits for time to pass. Virtual machines were seen that got a tenth of their cores for
  // minutes, so no test and no wait of one has a shorter bound of its own.
  testTimeout: 600_000,
  testSequencer: './tools/testing/sequencer.mjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      ...closing,
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
      ...closing,
      testMatch: ['**/*.db.test.ts'],
      globalSetup: './tools/testing/infrastructure.ts',
      globalTeardown: './tools/testing/infrastructure-down.ts',
    },
    {
      ...shared,
      displayName: 'browser',
      testMatch: ['**/*.browser.test.ts'],
      globalSetup: './tools/testing/browser.ts',
      globalTeardown: './tools/testing/leave.ts',
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['**/*.e2e.test.ts'],
      globalSetup: './tools/testing/system.ts',
      globalTeardown: './tools/testing/system-down.ts',
    },
    {
      ...shared,
      displayName: 'faults',
      testMatch: ['**/*.faults.test.ts'],
      globalSetup: './tools/testing/abandoned.ts',
      globalTeardown: './tools/testing/leave.ts',
    },
    {
      ...shared,
      displayName: 'docker',
      testMatch: ['**/*.docker.test.ts'],
      globalTeardown: './tools/testing/leave.ts',
    },
  ],
};

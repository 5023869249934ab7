// One configuration, three projects: "unit" needs nothing, "integration" needs PostgreSQL and RabbitMQ, "e2e" needs the
// whole system and a browser. The file name says which: x.test.ts, x.db.test.ts, x.e2e.test.ts.
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

export default {
  // Bounds what hangs; no test waits for time to pass.
  testTimeout: 120_000,
  testSequencer: './tools/testing/scan-last.mjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/.local/',
        '\\.db\\.test\\.ts$',
        '\\.e2e\\.test\\.ts$',
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
      displayName: 'e2e',
      testMatch: ['**/*.e2e.test.ts'],
      globalSetup: './tools/testing/system.ts',
      globalTeardown: './tools/testing/system-down.ts',
    },
    { ...shared, displayName: 'docker', testMatch: ['**/*.docker.test.ts'] },
  ],
};

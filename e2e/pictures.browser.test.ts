import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const PLAYWRIGHT = fileURLToPath(new URL('cli.js', import.meta.resolve('@playwright/test/package.json')));

// Playwright compares screenshots only in its own runner, which refuses to run in a worker of Jest.
it('thirty pages of buyers, operators, partners and readers look as in e2e/pictures/expected', () => {
  const { JEST_WORKER_ID: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PLAYWRIGHT, 'test', '--config', 'e2e/pictures'], {
    env,
    encoding: 'utf8',
  });
  expect(status === 0 ? '' : `${stdout}${stderr}`).toBe('');
});

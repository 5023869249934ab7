import { randomBytes, randomUUID } from 'node:crypto';
import { createLog } from '@pay/shared/logging/logger.ts';
import { createTestDatabase } from '../../../../../tools/testing/database.ts';
import { startService } from '../../../../../tools/testing/process.ts';
import { freePorts } from '../../../../../tools/infrastructure/ports.ts';
import { acquirerContract } from '../../../test/acquirer-contract.ts';
import { acquirerFenceContract } from '../../../test/acquirer-fence-contract.ts';
import { createSandboxBankAcquirer } from './sandbox-bank-acquirer.ts';

/** The sandbox bank's real process. */
async function startSandboxBank() {
  const database = await createTestDatabase('sandbox-bank');
  const apiKey = randomBytes(24).toString('hex');
  const { bank: port } = await freePorts(['bank']);
  const bank = await startService('sandbox-bank', {
    ENVIRONMENT: 'TEST',
    DATABASE_URL: database.url,
    PORT: String(port),
    CONTROL_PORT: '0',
    CONTROL_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: `http://127.0.0.1:${String(port)}`,
    API_KEY: apiKey,
    LOG_LEVEL: 'info',
  });
  const log = createLog('test', 'silent');
  return {
    url: bank.urlOf('api'),
    acquirerTo: (url: string, deadlineMs: number) => createSandboxBankAcquirer({ url, apiKey, routeId: randomUUID(), log, deadlineMs }),
    async close() {
      await bank.stop();
      await database.drop();
    },
  };
}

// The same suites as against the bank that tests play, here against the sandbox bank itself.
acquirerContract('the sandbox bank itself', async () => {
  const bank = await startSandboxBank();
  const acquirer = bank.acquirerTo(bank.url, 10_000);
  return {
    acquirer,
    cards: {
      approved: '4111111111111111',
      declined: '4000000000009995',
      threeDs: '4000003800000446',
      notAuthenticated: '4000000000003113',
      method: '4000000000003220',
    },
    withdrawsDuringThreeDs: true,
    async passThreeDs(_operationId, acsUrl) {
      await fetch(acsUrl, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }), redirect: 'manual' });
    },
    async close() {
      await acquirer.close();
      await bank.close();
    },
  };
});

acquirerFenceContract('the sandbox bank itself', async () => ({
  ...(await startSandboxBank()),
  card: '4111111111111111',
}));

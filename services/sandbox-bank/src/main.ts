import { runService } from '@pay/shared/service/run-service.ts';
import { randomBytes } from 'node:crypto';
import { Config } from './config.ts';
import { createFaults } from './faults.ts';
import { createBankApp } from './http/app.ts';

await runService({
  name: 'sandbox-bank',
  schema: Config,
  build: ({ config, log, db }) => ({
    app: createBankApp(log, {
      db,
      newId: () => randomBytes(16).toString('hex'),
      faults: createFaults(),
      publicUrl: config.PUBLIC_URL,
      apiKey: config.API_KEY,
    }),
  }),
});

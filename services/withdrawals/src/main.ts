import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { Config } from './config.ts';
import { onStoreCreated } from './consumers/on-store-created.ts';
import { createWithdrawalsApp } from './http/app.ts';

await runService({
  name: 'withdrawals',
  schema: Config,
  swept: true,
  build: ({ config, log, db }) => ({
    app: createWithdrawalsApp(log, internalTokenVerifier('withdrawals', config.INTERNAL_TOKEN_KEY)),
    broker: { url: config.AMQP_URL, handlers: { 'store.created': onStoreCreated({ db }) } },
  }),
});

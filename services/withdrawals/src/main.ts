import { factVerifier } from '@pay/shared/broker/fact-signature.ts';
import { FACTS } from '@pay/contract/facts.ts';
import { createOwners } from '@pay/shared/facts/owners.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { operatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { closeDaysLoop } from '@pay/shared/registers/close-days.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { Config } from './config.ts';
import { onStoreCreated } from './consumers/on-store-created.ts';
import type { Deps } from './deps.ts';
import { createWithdrawalsApp } from './http/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './http/operator/app.ts';
import { USDT_DAYS } from './use-cases/close-days.ts';
import { watchWithdrawals } from './use-cases/watch-withdrawals.ts';

await runService({
  name: 'withdrawals',
  sealed: 'withdrawals',
  schema: Config,
  migrations: new URL('../migrations/', import.meta.url),
  swept: true,
  build: ({ config, log, db }) => {
    const deps: Deps = {
      db,
      log,
      pageTokens: pageTokens(config.INTERNAL_TOKEN_KEY, 'withdrawals', config.INTERNAL_TOKEN_KEY_PREVIOUS),
    };
    const handlers = { 'store.created': onStoreCreated({ db }) };
    const owners = createOwners({
      consumer: 'withdrawals',
      facts: FACTS,
      keys: config.FACT_VERIFICATION_KEYS,
      urls: { payments: config.PAYMENTS_URL },
      log,
    });
    const verify = factVerifier(FACTS, 'withdrawals', config.FACT_VERIFICATION_KEYS);
    return {
      app: createWithdrawalsApp(
        deps,
        internalTokenVerifier('withdrawals', config.INTERNAL_TOKEN_KEY, config.INTERNAL_TOKEN_KEY_PREVIOUS),
        config.FACT_SIGNING_KEYS,
      ),
      operatorApp: createOperatorApp(
        { ...deps, handlers, owners, verify },
        operatorIdentityVerifier(OPERATOR_AUDIENCE, config.OPERATOR_IDENTITY_PUBLIC_KEYS),
      ),
      loops: [closeDaysLoop(deps, USDT_DAYS), watchWithdrawals(db)],
      broker: {
        url: config.AMQP_URL,
        facts: FACTS,
        signingKeys: config.FACT_SIGNING_KEYS,
        verificationKeys: config.FACT_VERIFICATION_KEYS,
        handlers,
        owners,
      },
    };
  },
});

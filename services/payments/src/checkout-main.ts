import { encryptionKeysOf } from '@pay/shared/encryption/encryption-config.ts';
import { createOperationIds } from '@pay/shared/identities/operation-ids.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { createBindings } from './bindings/bindings.ts';
import { bankAccountsOf } from './acquirers/accounts.ts';
import { createAcquirers } from './acquirers/connectors.ts';
import { pageCheckLoop } from './checkout/page-check-loop.ts';
import { saveVelocityLimits } from './db/checkout/card-attempts.ts';
import { findOpenCheckout } from './db/checkout/newest-checkout.ts';
import { CheckoutConfig } from './checkout-config.ts';
import { createCheckoutApp } from './checkout/app.ts';
import { createLimits, LIMITS_PER_MINUTE } from './checkout/limits.ts';
import { forgetBuyersLoop } from './use-cases/checkout/forget-buyers.ts';

/**
 * The checkout as a process of its own: the only one that a card number reaches (decisions/checkout). The loops and the
 * relay of `main.ts` continue what it commits.
 */
await runService({
  name: 'checkout',
  schema: CheckoutConfig,
  migrations: new URL('../migrations/', import.meta.url),
  build: async ({ config, log, db }) => {
    const acquirers = createAcquirers({ log, ...bankAccountsOf(config) });
    const bindings = createBindings({
      urls: config.BINDINGS_URL,
      tokenKey: config.BINDINGS_INTERNAL_TOKEN_KEY,
      log,
    });
    const deps = {
      db,
      log,
      environment: config.ENVIRONMENT,
      acquirerOf: acquirers.acquirerOf,
      bindings,
      operationIds: createOperationIds(config.BINDINGS_INTERNAL_TOKEN_KEY),
      encryptionKeys: encryptionKeysOf(config),
      checkoutUrl: config.FORM_URL,
      velocity: {
        address: config.UNPAID_CARDS_PER_ADDRESS,
        bin: config.UNPAID_CARDS_PER_BIN,
        point: config.UNPAID_CARDS_PER_POINT,
      },
    };
    await db.transaction((tx) => saveVelocityLimits(tx, deps.velocity));
    return {
      app: createCheckoutApp(
        deps,
        config.TRUSTED_PROXIES,
        createLimits({
          ...LIMITS_PER_MINUTE,
          requests: config.REQUESTS_PER_ADDRESS_PER_MINUTE,
          bankAsks: config.BANK_ASKS_PER_ADDRESS_PER_MINUTE,
        }),
      ),
      loops: [
        forgetBuyersLoop(deps),
        pageCheckLoop({ url: config.PAGE_CHECK_URL ?? config.FORM_URL, findLink: () => findOpenCheckout(db), log }),
      ],
      close: async () => {
        await Promise.all([acquirers.close(), bindings.close()]);
      },
    };
  },
});

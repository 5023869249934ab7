import { factVerifier } from '@pay/shared/broker/fact-signature.ts';
import { FACTS } from '@pay/contract/facts.ts';
import { createOwners } from '@pay/shared/facts/owners.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { createOperationIds } from '@pay/shared/identities/operation-ids.ts';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { operatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { Config } from './config.ts';
import { onConsentGiven } from './consumers/on-consent-given.ts';
import { onPaymentCompleted, onPaymentFailed } from './consumers/on-payment-ended.ts';
import type { HttpDeps } from './deps.ts';
import { createBindingsApp } from './http/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './http/operator/app.ts';
import { createPayments } from './payments/payments.ts';
import { retryLimitsOf } from './retry-limits.ts';
import { handOverLoop } from './use-cases/hand-over-charge.ts';

await runService({
  name: 'bindings',
  schema: Config,
  migrations: new URL('../migrations/', import.meta.url),
  swept: true,
  build: ({ config, log, db }) => {
    const payments = createPayments({
      urls: config.PAYMENTS_URL,
      tokenKey: config.PAYMENTS_INTERNAL_TOKEN_KEY,
      log,
    });
    const deps: HttpDeps = {
      db,
      log,
      payments,
      operationIds: createOperationIds(config.INTERNAL_TOKEN_KEY),
      retryLimits: retryLimitsOf(config.CHARGE_RETRY_LIMITS),
      pageTokens: pageTokens(config.INTERNAL_TOKEN_KEY, 'bindings', config.INTERNAL_TOKEN_KEY_PREVIOUS),
    };
    const handlers = {
      'consent.given': onConsentGiven({ db }),
      'payment.completed': onPaymentCompleted({ db }),
      'payment.failed': onPaymentFailed({ db }),
    };
    const owners = createOwners({
      consumer: 'bindings',
      facts: FACTS,
      keys: config.FACT_VERIFICATION_KEYS,
      urls: { payments: config.PAYMENTS_URL },
      log,
    });
    const verify = factVerifier(FACTS, 'bindings', config.FACT_VERIFICATION_KEYS);
    return {
      app: createBindingsApp(
        deps,
        internalTokenVerifier('bindings', config.INTERNAL_TOKEN_KEY, config.INTERNAL_TOKEN_KEY_PREVIOUS),
        config.FACT_SIGNING_KEYS,
      ),
      operatorApp: createOperatorApp(
        { ...deps, handlers, owners, verify },
        operatorIdentityVerifier(OPERATOR_AUDIENCE, config.OPERATOR_IDENTITY_PUBLIC_KEYS),
      ),
      loops: [handOverLoop(deps)],
      broker: {
        url: config.AMQP_URL,
        facts: FACTS,
        signingKeys: config.FACT_SIGNING_KEYS,
        verificationKeys: config.FACT_VERIFICATION_KEYS,
        handlers,
        owners,
      },
      close: () => payments.close(),
    };
  },
});

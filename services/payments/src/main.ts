import { refundLimitsOf } from './refund-limits.ts';
import { FACTS } from '@pay/contract/facts.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { encryptionKeysOf } from '@pay/shared/encryption/encryption-config.ts';
import { createHandOver } from '@pay/shared/facts/hand-over.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { operatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { closeDaysLoop } from '@pay/shared/registers/close-days.ts';
import { createOperationIds } from '@pay/shared/identities/operation-ids.ts';
import { ConfigError } from '@pay/shared/config/config.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { createBindings } from './bindings/bindings.ts';
import { createAcquirers } from './acquirers/connectors.ts';
import { bankAccountsOf } from './acquirers/accounts.ts';
import { Config } from './config.ts';
import type { ApiDeps, Deps } from './deps.ts';
import { createPaymentsApp } from './http/app.ts';
import { createBankNotificationsApp, type BankNotifiers } from './http/bank/notifications.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './http/operator/app.ts';
import { checkLedgerLoop } from './use-cases/ledger/check-ledger.ts';
import { RUBLE_DAYS } from './use-cases/ledger/close-days.ts';
import { followUpLoop } from './use-cases/payment/follow-up-payments.ts';
import { followUpRefundsLoop } from './use-cases/refund/follow-up-refunds.ts';
import { reconciliationLoop } from './use-cases/reconciliation/reconciliation-loop.ts';
import { returnLateMoneyLoop } from './use-cases/money-return/return-late-money.ts';
import { measureLoop } from './use-cases/operator/measure.ts';

/** A read is one or two statements by an index: six connections serve thousands per second, of which one partner's hold two. */
const READ_CONNECTIONS = 6;

/** The listener for bank notifications; none without a port. */
function bankListener(deps: Deps, config: Config) {
  const { BANK_NOTIFICATIONS_PORT: port, SANDBOX_BANK_NOTIFICATION_KEY, SANDBOX_BANK_NOTIFICATION_KEY_PREVIOUS } = config;
  if (port === undefined) return [];
  const { tBank } = bankAccountsOf(config);
  const isGiven = <T>(one: T | undefined): one is T => one !== undefined;
  const notifiers: BankNotifiers = {
    sandboxBankKeys: [SANDBOX_BANK_NOTIFICATION_KEY, SANDBOX_BANK_NOTIFICATION_KEY_PREVIOUS].filter(isGiven),
    tBank:
      tBank === undefined
        ? undefined
        : {
            terminalKey: tBank.terminalKey,
            passwords: [tBank.password, config.T_BANK_PASSWORD_PREVIOUS].filter(isGiven),
          },
  };
  return [{ name: 'notifications', app: createBankNotificationsApp(deps, notifiers), port }];
}

await runService({
  name: 'payments',
  sealed: 'payments',
  schema: Config,
  migrations: new URL('../migrations/', import.meta.url),
  swept: true,
  build: ({ config, log, db }) => {
    const reads = openDatabase({
      url: config.DATABASE_URL,
      viaPooler: config.DATABASE_DIRECT_URL !== undefined,
      applicationName: 'payments-reads',
      poolSize: READ_CONNECTIONS,
      onIdleError: (err) => {
        log.warn('idle database connection lost', { err });
      },
    });
    const acquirers = createAcquirers({ log, ...bankAccountsOf(config) });
    const bindings = createBindings({
      urls: config.BINDINGS_URL,
      tokenKey: config.BINDINGS_INTERNAL_TOKEN_KEY,
      log,
    });
    const key = config.FACT_SIGNING_KEYS.get('notifier');
    if (key === undefined) throw new ConfigError('FACT_SIGNING_KEYS has no key for notifier');
    const notifier = createHandOver({
      producer: 'payments',
      consumer: 'notifier',
      urls: config.NOTIFIER_URL,
      key,
      log,
    });
    const deps: ApiDeps = {
      operationIds: createOperationIds(config.BINDINGS_INTERNAL_TOKEN_KEY),
      refundLimits: refundLimitsOf(config.OPERATOR_REFUND_LIMIT_RUB),
      db,
      reads: reads.db,
      log,
      environment: config.ENVIRONMENT,
      acquirerOf: acquirers.acquirerOf,
      bindings,
      notifier,
      pageTokens: pageTokens(config.INTERNAL_TOKEN_KEY, 'payments', config.INTERNAL_TOKEN_KEY_PREVIOUS),
      encryptionKeys: encryptionKeysOf(config),
      checkoutUrl: config.FORM_URL,
      allowPrivateAddresses: config.CALLBACK_ALLOW_PRIVATE,
      ownHosts: config.OWN_HOSTS,
    };
    return {
      app: createPaymentsApp(
        deps,
        internalTokenVerifier('payments', config.INTERNAL_TOKEN_KEY, config.INTERNAL_TOKEN_KEY_PREVIOUS),
        config.FACT_SIGNING_KEYS,
      ),
      operatorApp: createOperatorApp(deps, operatorIdentityVerifier(OPERATOR_AUDIENCE, config.OPERATOR_IDENTITY_PUBLIC_KEYS)),
      listeners: bankListener(deps, config),
      broker: { url: config.AMQP_URL, facts: FACTS, signingKeys: config.FACT_SIGNING_KEYS },
      loops: [
        checkLedgerLoop(deps),
        followUpLoop(deps),
        followUpRefundsLoop(deps),
        returnLateMoneyLoop(deps),
        reconciliationLoop(deps),
        closeDaysLoop(deps, RUBLE_DAYS),
        measureLoop(deps),
      ],
      close: async () => {
        await Promise.all([acquirers.close(), bindings.close(), notifier.close(), reads.close()]);
      },
    };
  },
});

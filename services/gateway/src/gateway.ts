import type { Database } from '@pay/shared/postgres/connect/pool.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { operatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { createServiceClient } from '@pay/shared/service-client/service-client.ts';
import { partitionsEnd } from '@pay/shared/telemetry/metrics.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { createPause } from '@pay/shared/time/pause.ts';
import type { Parts } from '@pay/shared/service/run-service.ts';
import type { z } from 'zod';
import type { Config } from './config.ts';
import { endOfNoncePartitions, rollNoncePartitions } from './db/nonces.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { createServiceCaller } from './http/call-service.ts';
import { createOwnRoutes } from './http/own-routes.ts';
import { createPortalApp } from './http/portal/app.ts';
import { createPublicApi } from './http/public-api.ts';
import type { ServiceName } from './http/routes.ts';
import { createFailedAuthentications } from './limits/failed-authentications.ts';
import { createTokenBuckets } from './limits/token-buckets.ts';
import { createNonceStore } from './nonces/nonce-store.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './http/operator/app.ts';
import { sweepPortalLoop } from './use-cases/sweep-portal.ts';
import { createPartnerDirectory } from './partners/partner-directory.ts';
import { publishStandingLoop } from './partners/publish-standing.ts';
import { createForwarder } from './forwarding/forwarder.ts';
import { createRequestLog } from './request-log/record.ts';

/** Partitions are created half an hour ahead, so a round may be many minutes late. */
const PARTITION_ROUND_MS = 60_000;

/** Everything that the gateway process runs. */
export async function createGateway(config: z.output<typeof Config>, log: Log, database: Database): Promise<Parts> {
  const { db, pool } = database;
  const standings = createPause();
  const directory = createPartnerDirectory(db, standings.wake);
  const peerOf = (name: ServiceName, urls: readonly string[], tokenKey: Buffer) =>
    createServiceClient({ issuer: 'gateway', name, urls, tokenKey, log });
  const clients = {
    payments: peerOf('payments', config.PAYMENTS_URL, config.PAYMENTS_INTERNAL_TOKEN_KEY),
    bindings: peerOf('bindings', config.BINDINGS_URL, config.BINDINGS_INTERNAL_TOKEN_KEY),
    withdrawals: peerOf('withdrawals', config.WITHDRAWALS_URL, config.WITHDRAWALS_INTERNAL_TOKEN_KEY),
    notifier: peerOf('notifier', config.NOTIFIER_URL, config.NOTIFIER_INTERNAL_TOKEN_KEY),
  };
  const buckets = createTokenBuckets(pool, log);
  const requestLog = config.ENVIRONMENT === 'TEST' ? createRequestLog(db, log) : undefined;
  const services = createServiceCaller(
    {
      payments: createForwarder('payments', clients.payments, log),
      bindings: createForwarder('bindings', clients.bindings, log),
      withdrawals: createForwarder('withdrawals', clients.withdrawals, log),
      notifier: createForwarder('notifier', clients.notifier, log),
    },
    requestLog === undefined ? undefined : createOwnRoutes(requestLog, pageTokens(config.NOTIFIER_INTERNAL_TOKEN_KEY, 'requests')),
    log,
  );
  const authenticator = createAuthenticator({
    directory,
    nonces: createNonceStore(db, log),
    buckets,
    failures: createFailedAuthentications(config.FAILED_AUTHENTICATIONS_PER_MINUTE, () => performance.now()),
  });
  await rollNoncePartitions(pool);
  await directory.load();
  return {
    app: createPublicApi({
      environment: config.ENVIRONMENT,
      log,
      authenticator,
      services,
      requestLog,
      proxies: config.TRUSTED_PROXIES,
    }),
    operatorApp: createOperatorApp(db, log, operatorsOf(config)),
    portalApp: createPortalApp({ db, log, buckets, services, environment: config.ENVIRONMENT }),
    loops: [
      directory.loop,
      sweepPortalLoop(db),
      publishStandingLoop({ db, payments: clients.payments, log, pause: standings }),
      noncePartitionsLoop(database, log),
      ...(requestLog === undefined ? [] : [requestLog.sweep]),
    ],
    close: async () => {
      await Promise.all(Object.values(clients).map((client) => client.close()));
    },
  };
}

const noncePartitionsLoop = ({ pool, db }: Database, log: Log): Loop => ({
  name: 'nonce-partitions',
  intervalMs: PARTITION_ROUND_MS,
  round: async () => {
    try {
      const { made, dropped } = await rollNoncePartitions(pool);
      if (made + dropped > 0) log.info('nonce partitions rolled', { made, dropped });
      return 'done';
    } finally {
      // Above all if none could be made: a process that just started has said nothing yet.
      partitionsEnd.set({ table: 'nonces' }, await endOfNoncePartitions(db));
    }
  },
});

const operatorsOf = (config: z.output<typeof Config>) => operatorIdentityVerifier(OPERATOR_AUDIENCE, config.OPERATOR_IDENTITY_PUBLIC_KEYS);

import { factKeysOf } from '../tools/infrastructure/fact-keys.ts';
import { TEST_FACT_SECRET } from '../tools/testing/database.ts';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testConsoleKey } from '../packages/shared/test/operators.ts';
import { startFactsRelay } from '../services/notifier/test/broker.ts';
import { ENCRYPTION } from '../services/notifier/test/facts.ts';
import type { Infrastructure } from '../tools/infrastructure/infrastructure.ts';
import { createTestBroker, createTestDatabase } from '../tools/testing/database.ts';
import { startService, type ServiceProcess } from '../tools/testing/process.ts';
import { withServers } from './world.ts';

/** Notifiers with their own servers, and nothing else. */
export type Notifiers = {
  readonly servers: Infrastructure;
  /** Connections as the notifier's own role. */
  readonly pool: pg.Pool;
  /** Connections as payments, whose facts they consume. */
  readonly payments: pg.Pool;
  readonly url: string;
  /** Starts one more replica. */
  readonly start: () => Promise<ServiceProcess>;
};

/** Runs `work` with a fresh database and broker, and stops what it started. */
export function withNotifiers<T>(work: (notifiers: Notifiers) => Promise<T>): Promise<T> {
  return withServers(async (servers) => {
    process.env['TEST_DATABASE_URL'] = servers.databaseUrl;
    process.env['TEST_AMQP_URL'] = servers.amqpUrl;
    process.env['TEST_MANAGEMENT_URL'] = servers.managementUrl ?? '';
    const [database, told, broker] = await Promise.all([
      createTestDatabase('notifier'),
      createTestDatabase('payments'),
      createTestBroker('services'),
    ]);
    const pool = new pg.Pool({ connectionString: database.url, max: 10 });
    const payments = new pg.Pool({ connectionString: told.url, max: 10 });
    // Their servers are restarted.
    for (const one of [pool, payments]) one.on('error', () => undefined);
    const relay = await startFactsRelay({ databaseUrl: told.url, amqpUrl: broker.urls.payments });
    const running = new Set<ServiceProcess>();
    const key = () => randomBytes(32).toString('base64');
    const environment = {
      ENVIRONMENT: 'TEST',
      DATABASE_URL: database.url,
      AMQP_URL: broker.urls.notifier,
      ...factKeysOf('notifier', TEST_FACT_SECRET),
      PAYMENTS_URL: 'http://127.0.0.1:1',
      BINDINGS_URL: 'http://127.0.0.1:1',
      WITHDRAWALS_URL: 'http://127.0.0.1:1',
      INTERNAL_TOKEN_KEY: key(),
      OPERATOR_IDENTITY_PUBLIC_KEYS: testConsoleKey().publicKey,
      CALLBACK_ALLOW_PRIVATE: 'true',
      ...ENCRYPTION,
    };
    try {
      return await work({
        servers,
        pool,
        payments,
        url: database.url,
        start: async () => {
          const started = await startService('notifier', environment);
          running.add(started);
          return started;
        },
      });
    } finally {
      await Promise.all([relay.stop(), ...[...running].map((notifier) => notifier.kill())]);
      await Promise.all([pool.end(), payments.end()]);
    }
  });
}

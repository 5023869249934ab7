import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalTokenSigner } from '../packages/shared/src/internal-auth/internal-token.ts';
import { openDatabase } from '../packages/shared/src/postgres/connect/pool.ts';
import { authorize, givenPartner } from '../services/gateway/test/gateway.ts';
import { SERVICES, withClient, type ServiceName } from './infrastructure/provision.ts';
import { documentedMetrics, isDefaultMetric } from './monitoring/metrics-page.ts';
import { environmentOf } from './system/environment.ts';
import type { Layout } from './system/layout.ts';
import { newState, type OwnProgram } from './system/state.ts';
import { createTestBroker, createTestDatabase, type TestBroker, type TestDatabase } from './testing/database.ts';
import { HALVED, migrateService, requestAcrossStop, startService, type ServiceProcess } from './testing/process.ts';

/** Ports that the system chooses, and nobody where other programs should be. */
const LAYOUT: Layout = {
  host: '127.0.0.1',
  port: () => 0,
  origin: () => 'http://127.0.0.1:1',
  publicOrigin: () => 'http://127.0.0.1:1',
};

/** A program of ours, and the answer to a POST of a path that it does not have. */
type Program = {
  readonly program: OwnProgram;
  /** Whose schema it works on. */
  readonly service: ServiceName;
  readonly main?: string;
  readonly nowhere: string;
  /** A variable that it needs, and a value that it refuses, for one program of each way to run (`runService`, `runFront`). */
  readonly refused?: readonly [string, string];
};

const PROGRAMS: readonly Program[] = [
  { program: 'gateway', service: 'gateway', nowhere: 'HTTP/1.1 404 Not Found' },
  { program: 'payments', service: 'payments', nowhere: 'HTTP/1.1 401 Unauthorized', refused: ['DATABASE_URL', 'mysql://u:hunter2@h/d'] },
  { program: 'checkout', service: 'payments', main: 'checkout-main.ts', nowhere: 'HTTP/1.1 404 Not Found' },
  { program: 'bindings', service: 'bindings', nowhere: 'HTTP/1.1 401 Unauthorized' },
  { program: 'withdrawals', service: 'withdrawals', nowhere: 'HTTP/1.1 401 Unauthorized' },
  { program: 'notifier', service: 'notifier', nowhere: 'HTTP/1.1 401 Unauthorized' },
  { program: 'console', service: 'console', nowhere: 'HTTP/1.1 404 Not Found' },
  {
    program: 'portal',
    service: 'console',
    main: 'portal-main.ts',
    nowhere: 'HTTP/1.1 404 Not Found',
    refused: ['PUBLIC_URL', 'ftp://u:hunter2@h'],
  },
  { program: 'sandbox-bank', service: 'sandbox-bank', nowhere: 'HTTP/1.1 404 Not Found' },
];

/** A read of each service that the gateway calls for a partner. */
const INNER = [
  ['payments', '/api/card?orderID=none'],
  ['bindings', '/v1/bindings?customerId=buyer'],
  ['withdrawals', '/api/withdrawal-requests'],
  ['notifier', '/api/events'],
] as const;

/** The gateway reads the body of a known partner only. */
async function signedHeaders(): Promise<Readonly<Record<string, string>>> {
  const url = databases.get('gateway')?.url ?? '';
  const database = openDatabase({ url, applicationName: 'test', onIdleError: () => undefined });
  const partner = await givenPartner(database);
  await database.close();
  return { Authorization: JSON.stringify(authorize(partner, { method: 'POST', ...HALVED })) };
}

const state = newState();
const databases = new Map<ServiceName, TestDatabase>();
let broker: TestBroker;

beforeAll(async () => {
  broker = await createTestBroker('services');
  state.brokerUrls = broker.urls;
  for (const service of SERVICES) databases.set(service, await createTestDatabase(service));
  state.databaseUrls = Object.fromEntries([...databases].map(([service, { url }]) => [service, url]));
});
afterAll(async () => {
  await Promise.all([...databases.values(), broker].map((one) => one.drop()));
});

it('starts every program of the system', () => {
  expect(PROGRAMS.map(({ program }) => program).toSorted()).toEqual([...SERVICES, 'checkout', 'portal'].toSorted());
});

describe.each(PROGRAMS)('the process of $program', ({ program, service, main, nowhere, refused }) => {
  const start = (change: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
    startService(service, { ...environmentOf(state, LAYOUT, program, 1), ...change }, main);
  let running: ServiceProcess;
  let headers: Readonly<Record<string, string>>;
  beforeAll(async () => {
    headers = program === 'gateway' ? await signedHeaders() : {};
    running = await start();
  });
  afterAll(() => running.kill());

  it('is alive and ready and counts on its private port, and on no other', async () => {
    const statusesAt = (listener: string) =>
      Promise.all(['/healthz', '/readyz', '/metrics'].map(async (path) => (await fetch(running.urlOf(listener) + path)).status));
    expect(await statusesAt('private')).toEqual([200, 200, 200]);
    expect(await statusesAt('api')).not.toContain(200);
  });

  it('serves the metrics of docs/operate/metrics.md, and no other', async () => {
    const text = await (await fetch(`${running.urlOf('private')}/metrics`)).text();
    const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
    const ours = served.filter(({ name }) => !isDefaultMetric(name)).map(({ name, type }) => `${name} ${type}`);
    const documented = ['Every program', program].flatMap(documentedMetrics).map(({ name, type }) => `${name} ${type}`);
    expect(ours.toSorted()).toEqual(documented.toSorted());
  });

  for (const [inner, path] of INNER.filter(([name]) => name === program)) {
    it('answers 401 without an internal token, 200 with one', async () => {
      const key = Buffer.from(state.secrets.internalTokenKeys[inner], 'base64');
      const token = internalTokenSigner('gateway', inner, key)('partner-a');
      const statusOf = async (headers: Readonly<Record<string, string>>) => (await fetch(running.urlOf('api') + path, { headers })).status;
      expect([await statusOf({}), await statusOf({ 'X-Internal-Token': token })]).toEqual([401, 200]);
    });
  }

  for (const [name, value] of refused === undefined ? [] : [refused]) {
    it('ends with status 1 and one message that names what is wrong with its configuration, and no value of it', async () => {
      const failed = start({ ENVIRONMENT: 'PROD', [name]: value });
      await expect(failed).rejects.toThrow(
        new RegExp(`ended with 1: ${program}: The configuration is not valid:\n  ENVIRONMENT: .*\n  ${name}: .*\n`),
      );
      await expect(failed).rejects.not.toThrow('hunter2');
    });
  }

  it('ends with status 0 after SIGTERM, with the running request answered', async () => {
    expect(await requestAcrossStop(running, headers)).toEqual({ statusLine: nowhere, exitCode: 0 });
  });
});

describe.each(SERVICES)('the migrations of %s', (service) => {
  // Two at once: `packages/shared/src/postgres/migrate.db.test.ts`.
  it('run again and change nothing', async () => {
    const owner = databases.get(service)?.ownerUrl ?? '';
    const applied = () => withClient(owner, async (client) => (await client.query('select * from migrations')).rows as unknown[]);
    const before = await applied();
    await migrateService(service, owner);
    expect(await applied()).toEqual(before);
  });
});

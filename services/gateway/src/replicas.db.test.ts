import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceProcess } from '../../../tools/testing/process.ts';
import {
  authorize,
  causeOf,
  eventually,
  freshNonce,
  givenPartner,
  requestBytes,
  sendRaw,
  sendSigned,
  startCuttableWay,
  startGateway,
  startTestDatabase,
  startTestService,
  type RawAnswer,
  type TestPartner,
  type TestService,
} from '../test/gateway.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let service: TestService;
let partner: TestPartner;
/** One call a second. */
let slow: TestPartner;
let started: ServiceProcess[] = [];

beforeAll(async () => {
  test = await startTestDatabase();
  service = await startTestService();
  partner = await givenPartner(test.database);
  slow = await givenPartner(test.database, { ratePerSecond: 1, burst: 10 });
});

afterAll(async () => {
  await Promise.all(started.map((gateway) => gateway.stop()));
  await service.stop();
  await test.drop();
});

async function start(env: Record<string, string> = {}, databaseUrl = test.url): Promise<ServiceProcess> {
  const gateway = await startGateway(databaseUrl, service.url, env);
  started.push(gateway);
  return gateway;
}

async function stop(gateway: ServiceProcess): Promise<void> {
  started = started.filter((other) => other !== gateway);
  expect(await gateway.stop()).toBe(0);
}

/** Two replicas with the usual configuration, which the tests share until one of them stops its own. */
let shared: Promise<[ServiceProcess, ServiceProcess]> | undefined;
const pair = () => (shared ??= Promise.all([start(), start()]));
async function stopPair(): Promise<void> {
  const gateways = await pair();
  shared = undefined;
  await Promise.all(gateways.map(stop));
}

const countOf = (values: readonly number[], value: number) => values.filter((other) => other === value).length;

it('one nonce 50 times at once over two replicas is accepted once, and not again after a restart of both (A07, A08)', async () => {
  const [first, second] = await pair();
  const before = service.seen.length;
  const bytes = requestBytes({ authorization: authorize(partner, {}) });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_none, index) => sendRaw((index % 2 === 0 ? first : second).urlOf('api'), bytes)),
  );
  expect(
    countOf(
      answers.map((answer) => answer.status),
      200,
    ),
  ).toBe(1);
  expect(answers.filter((answer) => causeOf(answer) === 'nonce_reused')).toHaveLength(49);
  expect(service.seen).toHaveLength(before + 1);

  await stopPair();
  for (const gateway of await pair()) {
    const answer = await sendRaw(gateway.urlOf('api'), bytes);
    expect([answer.status, causeOf(answer)]).toEqual([401, 'nonce_reused']);
  }
});

it('503 while the nonce cannot be stored, and the gateway takes calls again by itself (A11)', async () => {
  const way = await startCuttableWay(test.url);
  const gateway = await start({}, way.url);
  const base = gateway.urlOf('api');
  expect((await sendSigned(base, partner)).status).toBe(200);
  const before = service.seen.length;
  way.cut();
  const answer = await sendSigned(base, partner);
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  // After five seconds without the database, nobody can say whether a key is still active.
  await eventually(async () => {
    const unsigned = await sendRaw(base, requestBytes({ authorization: { ...authorize(partner, {}), partnerID: 'nobody' } }));
    return unsigned.status === 503 ? true : undefined;
  });
  expect(service.seen).toHaveLength(before);
  way.mend();
  await eventually(async () => ((await sendSigned(base, partner)).status === 200 ? true : undefined));
  await stop(gateway);
  way.stop();
});

describe('limits', () => {
  it('a partner’s rate holds over two replicas together: 429 with Retry-After', async () => {
    const gateways = await pair();
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_none, index) => sendSigned(gateways[index % 2]?.urlOf('api') ?? '', slow)),
    );
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    const statuses = answers.map((answer) => answer.status);
    expect(countOf(statuses, 200)).toBeGreaterThanOrEqual(10);
    expect(countOf(statuses, 200)).toBeLessThanOrEqual(10 + seconds);
    expect(countOf(statuses, 429)).toBe(60 - countOf(statuses, 200));
    const limited = answers.find((answer) => answer.status === 429);
    expect(limited?.headers['retry-after']).toBe('1');
    expect(JSON.parse(limited?.body ?? '')).toMatchObject({ code: 'RATE_LIMITED' });
    // Another partner is not slowed down.
    expect((await sendSigned(gateways[0].urlOf('api'), partner)).status).toBe(200);
  });

  it('an address that fails too often gets 429; a partner that is known behind it does not (A38)', async () => {
    const gateway = await start({ FAILED_AUTHENTICATIONS_PER_MINUTE: '20' });
    const base = gateway.urlOf('api');
    expect((await sendSigned(base, partner)).status).toBe(200);
    // The address is the socket's: a header that claims another one changes nothing.
    const stranger = () =>
      sendRaw(
        base,
        requestBytes({
          authorization: { ...authorize(partner, {}), partnerID: randomUUID() },
          headers: [`X-Forwarded-For: 198.51.100.${String(randomInt(256))}`, 'Forwarded: for=198.51.100.7'],
        }),
      );
    const answers: RawAnswer[] = [];
    while (answers.at(-1)?.status !== 429) answers.push(await stranger());
    const statuses = answers.map(({ status }) => status);
    expect(countOf(statuses, 401)).toBe(statuses.length - 1);
    expect(countOf(statuses, 401)).toBeGreaterThanOrEqual(20);
    // Nothing more is read from such a connection: what follows on it is not even parsed.
    expect(answers.at(-1)?.headers['connection']).toBe('close');
    expect((await sendSigned(base, partner)).status).toBe(200);
    await stop(gateway);
  });
});

describe('services behind', () => {
  const create = { method: 'POST', target: '/api/card', body: '{}', idempotencyKey: 'key-0123456789abcdef' };

  it('share the requests, and one that takes no connection is passed over, commands too', async () => {
    const second = await startTestService();
    const gateway = await start({ PAYMENTS_URL: `${service.url},${second.url}` });
    const before = service.seen.length;
    for (let count = 0; count < 10; count += 1) await sendSigned(gateway.urlOf('api'), partner, create);
    expect([service.seen.length - before, second.seen.length]).toEqual([5, 5]);
    await second.stop();
    for (let count = 0; count < 10; count += 1) {
      expect((await sendSigned(gateway.urlOf('api'), partner, create)).status).toBe(200);
    }
    await stop(gateway);
  });

  it('a call goes to the replica with the fewest calls in flight', async () => {
    const second = await startTestService();
    const gateway = await start({ PAYMENTS_URL: `${service.url},${second.url}` });
    const arrived = new Promise<{ busy: TestService; release: () => void }>((resolve) => {
      for (const busy of [service, second]) {
        busy.hold = (release) => {
          resolve({ busy, release });
        };
      }
    });
    const slow = sendSigned(gateway.urlOf('api'), partner, create);
    const { busy, release } = await arrived;
    for (const each of [service, second]) each.hold = undefined;
    const idle = busy === second ? service : second;
    const before = [busy.seen.length, idle.seen.length] as const;
    for (let count = 0; count < 6; count += 1) await sendSigned(gateway.urlOf('api'), partner, create);
    expect([busy.seen.length - before[0], idle.seen.length - before[1]]).toEqual([0, 6]);
    release();
    expect((await slow).status).toBe(200);
    for (let count = 0; count < 6; count += 1) await sendSigned(gateway.urlOf('api'), partner, create);
    expect([busy.seen.length - before[0], idle.seen.length - before[1]]).toEqual([3, 9]);
    await stop(gateway);
    await second.stop();
  });

  it('a command that may have arrived is not sent again; a read is', async () => {
    const second = await startTestService();
    const gateway = await start({ PAYMENTS_URL: `${service.url},${second.url}` });
    const before = service.seen.length;
    service.cutOff = true;
    second.cutOff = true;
    const answer = await sendSigned(gateway.urlOf('api'), partner, create);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    // It may have been done: a new key, which SERVICE_UNAVAILABLE permits, would do it twice.
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(service.seen.length - before + second.seen.length).toBe(1);
    await sendSigned(gateway.urlOf('api'), partner, { target: '/api/card/1' });
    expect(service.seen.length - before + second.seen.length).toBe(3);
    service.cutOff = false;
    await stop(gateway);
    await second.stop();
  });

  it('the breaker opens on a service that is gone, for that service only, and closes when it is back', async () => {
    const broken = await startTestService();
    broken.cutOff = true;
    const gateway = await start({ NOTIFIER_URL: broken.url });
    const secret = { ...create, target: '/api/integration/callback-secret' };
    for (let count = 0; count < 15; count += 1) {
      expect((await sendSigned(gateway.urlOf('api'), partner, secret)).status).toBe(503);
    }
    const asked = broken.seen.length;
    expect(asked).toBeLessThan(15);
    expect((await sendSigned(gateway.urlOf('api'), partner, create)).status).toBe(200);
    broken.cutOff = false;
    await eventually(async () => ((await sendSigned(gateway.urlOf('api'), partner, secret)).status === 200 ? true : undefined), 20_000);
    await stop(gateway);
    await broken.stop();
  });
});

it('a nonce sent with a timestamp of the future is kept as long as that timestamp passes (A09)', async () => {
  const [gateway] = await pair();
  const draft = { nonce: freshNonce(), clockOffset: 295 };
  expect((await sendSigned(gateway.urlOf('api'), partner, draft)).status).toBe(200);
  const { rows } = await test.database.pool.query<{ kept: boolean }>(
    `select bool_and(to_regclass('nonces_' || slot) is not null) as kept
     from generate_series(extract(epoch from now())::bigint / 900 - 1, extract(epoch from now())::bigint / 900 + 2) as slot`,
  );
  expect(rows).toEqual([{ kept: true }]);
});

it('drains: a request on its way when SIGTERM comes is answered', async () => {
  const [gateway] = await pair();
  const arrived = new Promise<() => void>((resolve) => {
    service.hold = resolve;
  });
  const answer = sendSigned(gateway.urlOf('api'), partner);
  const release = await arrived;
  service.hold = undefined;
  const stopped = stopPair();
  await wait(200);
  release();
  expect((await answer).status).toBe(200);
  await stopped;
});

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import { fingerprintOf, renderOpenSshKey } from '@pay/signing/ed25519.ts';
import { COMPILE_CACHE, type ServiceProcess } from '../../../../../tools/testing/process.ts';
import {
  causeOf,
  eventually,
  CONSOLE,
  KEYS,
  sendSigned,
  startGateway,
  startTestDatabase,
  startTestService,
  type TestPartner,
  type TestService,
} from '../../../test/gateway.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let service: TestService;
let gateways: readonly ServiceProcess[];

beforeAll(async () => {
  test = await startTestDatabase();
  service = await startTestService();
  gateways = await Promise.all([startGateway(test.url, service.url), startGateway(test.url, service.url)]);
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await service.stop();
  await test.drop();
});

type Answer = { status: number; body: Record<string, unknown> };

async function call(operator: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const url = `${gateways[0]?.urlOf('private') ?? ''}/operator${path}`;
  const response = await CONSOLE.fetchAs('gateway-operator', operator, url, { method, body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function newPartner(): TestPartner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { partnerID: `partner-${randomUUID()}`, key: renderOpenSshKey(publicKey), privateKey };
}

async function givenRegisteredKey(): Promise<{ partner: TestPartner; keyId: string; path: string }> {
  const partner = newPartner();
  await call('anna', 'POST', '/partners', { partnerID: partner.partnerID, name: 'Shop' });
  const { body } = await call('anna', 'POST', `/partners/${partner.partnerID}/keys`, {
    publicKey: `${partner.key} me@shop`,
  });
  const keyId = String(body['keyId']);
  return { partner, keyId, path: `/partners/${partner.partnerID}/keys/${keyId}` };
}

/** Issue: in force on every replica within five seconds. */
const IN_FORCE_MS = 5_000;
const untilEverywhere = async (partner: TestPartner, status: number) => {
  for (const gateway of gateways) {
    await eventually(async () => ((await sendSigned(gateway.urlOf('api'), partner)).status === status ? true : undefined), IN_FORCE_MS);
  }
};

describe('the life of a key', () => {
  it('refused before activation, accepted after it, refused after revocation, on every replica within 5 s (A34, A35)', async () => {
    const { partner, path } = await givenRegisteredKey();
    await untilEverywhere(partner, 401);
    await eventually(async () =>
      causeOf(await sendSigned(gateways[0]?.urlOf('api') ?? '', partner)) === 'key_not_active' ? true : undefined,
    );
    const { body } = await sendSigned(gateways[0]?.urlOf('api') ?? '', partner);
    expect(JSON.parse(body)).toMatchObject({ error: 'unauthorized' });
    expect((await call('boris', 'POST', `${path}/activate`)).body).toMatchObject({
      status: 'ACTIVE',
      registeredBy: 'anna',
      activatedBy: 'boris',
    });
    await untilEverywhere(partner, 200);
    expect((await call('anna', 'POST', `${path}/revoke`)).body).toMatchObject({ status: 'REVOKED', revokedBy: 'anna' });
    await untilEverywhere(partner, 401);
    expect((await call('boris', 'POST', `${path}/activate`)).status).toBe(400);
  });

  it('403: the one who registered a key does not activate it', async () => {
    const { partner, path } = await givenRegisteredKey();
    const answer = await call('anna', 'POST', `${path}/activate`);
    expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
    expect((await call('anna', 'GET', `/partners/${partner.partnerID}`)).body['keys']).toMatchObject([{ status: 'REGISTERED' }]);
  });

  it('several keys are active at once, for rollover', async () => {
    const { partner, path } = await givenRegisteredKey();
    const next = { ...newPartner(), partnerID: partner.partnerID };
    const { body } = await call('anna', 'POST', `/partners/${partner.partnerID}/keys`, { publicKey: next.key });
    await call('boris', 'POST', `${path}/activate`);
    await call('boris', 'POST', `/partners/${partner.partnerID}/keys/${String(body['keyId'])}/activate`);
    await untilEverywhere(partner, 200);
    await untilEverywhere(next, 200);
    const { keys } = (await call('anna', 'GET', `/partners/${partner.partnerID}`)).body;
    expect(keys).toMatchObject([{ status: 'ACTIVE' }, { status: 'ACTIVE' }]);
  });

  it('repeating a command changes nothing', async () => {
    const { partner, path } = await givenRegisteredKey();
    const first = await call('boris', 'POST', `${path}/activate`);
    expect(await call('clara', 'POST', `${path}/activate`)).toEqual(first);
    const { body } = await call('anna', 'GET', `/partners/${partner.partnerID}/audit`);
    expect(body['items']).toMatchObject([
      { operator: 'boris', action: 'key.activated', detail: fingerprintOf(partner.key) },
      { operator: 'anna', action: 'key.registered' },
      { operator: 'anna', action: 'partner.created' },
    ]);
  });

  it('a suspended partner is refused, a resumed one accepted', async () => {
    const { partner, path } = await givenRegisteredKey();
    await call('boris', 'POST', `${path}/activate`);
    await untilEverywhere(partner, 200);
    expect((await call('anna', 'POST', `/partners/${partner.partnerID}/suspend`)).body['status']).toBe('SUSPENDED');
    await untilEverywhere(partner, 401);
    expect((await call('anna', 'POST', `/partners/${partner.partnerID}/resume`)).body['status']).toBe('ACTIVE');
    await untilEverywhere(partner, 200);
  });
});

describe('registration', () => {
  it('keeps the comment apart from the text that requests send, and shows the fingerprint', async () => {
    const partner = newPartner();
    await call('anna', 'POST', '/partners', { partnerID: partner.partnerID, name: 'Shop' });
    const answer = await call('anna', 'POST', `/partners/${partner.partnerID}/keys`, {
      publicKey: `${partner.key} me@shop`,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      publicKey: partner.key,
      comment: 'me@shop',
      fingerprint: fingerprintOf(partner.key),
    });
  });

  const line = (hex: string) =>
    `ssh-ed25519 ${Buffer.concat([Buffer.from('0000000b7373682d6564323535313900000020', 'hex'), Buffer.from(hex, 'hex')]).toString('base64')}`;
  it.each([
    ['small order (A16)', line(`01${'00'.repeat(31)}`)],
    ['not canonical (A16)', line(`ee${'ff'.repeat(30)}7f`)],
    ['ssh-rsa (A15)', 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ=='],
    ['nothing', ''],
  ])('400: %s', async (_name, publicKey) => {
    const partner = newPartner();
    await call('anna', 'POST', '/partners', { partnerID: partner.partnerID, name: 'Shop' });
    const answer = await call('anna', 'POST', `/partners/${partner.partnerID}/keys`, { publicKey });
    expect(answer.status).toBe(400);
    expect(answer.body['details']).toMatchObject([{ field: 'publicKey' }]);
  });

  it('400: a key that another partner has, or had', async () => {
    const { partner, path } = await givenRegisteredKey();
    await call('anna', 'POST', `${path}/revoke`);
    const other = newPartner();
    await call('anna', 'POST', '/partners', { partnerID: other.partnerID, name: 'Other' });
    expect((await call('anna', 'POST', `/partners/${other.partnerID}/keys`, { publicKey: partner.key })).status).toBe(400);
  });

  it('400: a partner twice, a partner without a name, a limit of nothing', async () => {
    const { partner } = await givenRegisteredKey();
    expect((await call('anna', 'POST', '/partners', { partnerID: partner.partnerID, name: 'x' })).status).toBe(400);
    expect((await call('anna', 'POST', '/partners', { partnerID: randomUUID() })).status).toBe(400);
    expect((await call('anna', 'PUT', `/partners/${partner.partnerID}/rate-limit`, { ratePerSecond: 0, burst: 1 })).status).toBe(400);
    const limit = { ratePerSecond: 5, burst: 7 };
    expect((await call('anna', 'PUT', `/partners/${partner.partnerID}/rate-limit`, limit)).body).toMatchObject(limit);
  });
});

it.each([
  ['GET', '/partners/nobody'],
  ['POST', '/partners/nobody/suspend'],
  ['POST', `/partners/nobody/keys/${randomUUID()}/activate`],
  ['POST', '/partners/nobody/keys/nonsense/revoke'],
  ['GET', '/partners/nobody/audit'],
])('404: %s %s', async (method, path) => {
  expect((await call('anna', method, path)).status).toBe(404);
});

it('lists partners page by page', async () => {
  await givenRegisteredKey();
  await givenRegisteredKey();
  const first = await call('anna', 'GET', '/partners?limit=1');
  const items = first.body['items'] as { partnerID: string; keys: unknown[] }[];
  expect(items).toHaveLength(1);
  const second = await call('anna', 'GET', `/partners?limit=1&after=${items[0]?.partnerID ?? ''}`);
  expect(second.body['items']).not.toEqual(items);
});

it.each(['limit=0', 'limit=101', 'limit=1e1', 'limit=', 'colour=red'])('400 for a list with %s', async (query) => {
  expect((await call('anna', 'GET', `/partners?${query}`)).status).toBe(400);
});

it('401 without a token of an operator', async () => {
  const partnersToken = internalTokenSigner('gateway', 'payments', KEYS.PAYMENTS_INTERNAL_TOKEN_KEY)('partner');
  for (const token of ['', partnersToken]) {
    const response = await fetch(`${gateways[0]?.urlOf('private') ?? ''}/operator/partners`, {
      headers: { 'X-Internal-Token': token, 'X-Operator-Identity': token },
    });
    expect(response.status).toBe(401);
  }
});

it('nobody changes what the audit says', async () => {
  await givenRegisteredKey();
  for (const statement of ["update operator_audit set operator = 'x'", 'delete from operator_audit', 'truncate operator_audit']) {
    await expect(test.database.pool.query(statement)).rejects.toThrow('permission denied');
  }
});

it('the seed makes both partners active, twice the same', async () => {
  const [demo, other] = [newPartner(), newPartner()];
  const input = JSON.stringify({
    demo: { partnerID: demo.partnerID, publicKey: demo.key, storeID: 'x' },
    other: { partnerID: other.partnerID, publicKey: other.key },
  });
  const file = fileURLToPath(new URL('../../seed.ts', import.meta.url));
  for (let run = 0; run < 2; run += 1) {
    const { status, stderr } = spawnSync(process.execPath, [file], {
      input,
      env: { ...COMPILE_CACHE, ENVIRONMENT: 'TEST', DATABASE_URL: test.url },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  }
  await untilEverywhere(demo, 200);
  await untilEverywhere(other, 200);
  expect((await call('anna', 'GET', `/partners/${demo.partnerID}`)).body).toMatchObject({
    ratePerSecond: 100_000,
    keys: [{ status: 'ACTIVE' }],
  });
  expect((await call('anna', 'GET', `/partners/${other.partnerID}`)).body).toMatchObject({
    ratePerSecond: 200,
    burst: 400,
  });
});

describe('payments hears of a suspension (M4)', () => {
  it('in the order of the changes, and again until it answers (M4)', async () => {
    const { partnerID } = newPartner();
    await call('anna', 'POST', '/partners', { partnerID, name: 'Shop' });
    const told = () => service.standings.filter(({ partnerId }) => partnerId === partnerID);
    service.isAway = true;
    await call('anna', 'POST', `/partners/${partnerID}/suspend`);
    await eventually(() => told().filter(({ status }) => status === 'SUSPENDED')[1]);
    service.isAway = false;
    await call('anna', 'POST', `/partners/${partnerID}/resume`);
    const resumed = await eventually(() =>
      told().findLast((last) => last.status === 'ACTIVE' && told().at(-1) === last && told().some(({ status }) => status === 'SUSPENDED')),
    );
    const suspended = told().findLast(({ status }) => status === 'SUSPENDED');
    expect(Number(resumed.revision)).toBeGreaterThan(Number(suspended?.revision));
  });
});

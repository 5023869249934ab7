import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { renderOpenSshKey, signText } from '@pay/signing/ed25519.ts';
import pg from 'pg';
import type { ServiceProcess } from '../../../../../tools/testing/process.ts';
import {
  CONSOLE,
  eventually,
  givenPartner,
  KEYS,
  sendSigned,
  startGateway,
  startTestDatabase,
  startTestService,
  type TestPartner,
  type TestService,
} from '../../../test/gateway.ts';
import { insertRequests } from '../../db/request-log.ts';
import { OWN_KEYS_MAX } from '../../use-cases/manage-keys.ts';
import { ROUTES } from '../routes.ts';
import { isOpenToPortal } from './routes.ts';

/** What the portal asks of the gateway, at the gateway's private port. */
let test: Awaited<ReturnType<typeof startTestDatabase>>;
let owner: pg.Pool;
let service: TestService;
let gateway: ServiceProcess;
let partner: TestPartner;
let other: TestPartner;

beforeAll(async () => {
  test = await startTestDatabase();
  owner = new pg.Pool({ connectionString: test.ownerUrl, max: 1 });
  service = await startTestService();
  gateway = await startGateway(test.url, service.url);
  other = await givenPartner(test.database);
});
beforeEach(async () => {
  partner = await givenPartner(test.database);
  service.seen.length = 0;
  service.answer = { status: 200, body: '{"items":[]}' };
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
  await owner.end();
  await test.drop();
});

type Answer = { readonly status: number; readonly text: string; readonly body: Readonly<Record<string, unknown>> };
type Call = { readonly token?: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

/** By token, the partner that signed in: what the session's page shows. */
const shown = new Map<string | undefined, string>();

async function call(method: string, path: string, { token, body, headers }: Call = {}): Promise<Answer> {
  const page = shown.get(token);
  const response = await fetch(`${gateway.urlOf('private')}/portal${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { 'X-Portal-Session': token }),
      ...(page === undefined ? {} : { 'X-Portal-Partner': page }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
}

const ORIGIN = 'https://portal.test';

async function challengeFor(partnerID: string): Promise<{ readonly challengeId: string; readonly text: string }> {
  const { body } = await call('POST', '/challenges', { body: { origin: ORIGIN, partnerID } });
  return { challengeId: String(body['challengeId']), text: String(body['text']) };
}

async function signIn(who: TestPartner, before?: string): Promise<string> {
  const { challengeId, text } = await challengeFor(who.partnerID);
  const body = { challengeId, signature: signText(who.privateKey, text) };
  const answer = await call('POST', '/sessions', { body, ...(before === undefined ? {} : { token: before }) });
  expect(answer.status).toBe(201);
  const token = String(answer.body['token']);
  shown.set(token, who.partnerID);
  return token;
}

const statusOf = async (token: string) => (await call('GET', '/session', { token })).status;
const asOperator = (method: string, path: string) =>
  CONSOLE.fetchAs('gateway-operator', 'anna', `${gateway.urlOf('private')}/operator${path}`, { method });

describe('a challenge', () => {
  it('names the origin and the partner, and is no text that a request signs', async () => {
    const { challengeId, text } = await challengeFor(partner.partnerID);
    expect(text).toMatch(new RegExp(`^pay-portal-sign-in ${ORIGIN} ${partner.partnerID} ${challengeId} \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$`));
  });

  it('is answered once: a right signature is refused the second time', async () => {
    const { challengeId, text } = await challengeFor(partner.partnerID);
    const body = { challengeId, signature: signText(partner.privateKey, text) };
    expect((await call('POST', '/sessions', { body })).status).toBe(201);
    expect((await call('POST', '/sessions', { body })).status).toBe(401);
  });

  it('is used up by a wrong signature', async () => {
    const { challengeId, text } = await challengeFor(partner.partnerID);
    const wrong = signText(partner.privateKey, `${text} `);
    expect((await call('POST', '/sessions', { body: { challengeId, signature: wrong } })).status).toBe(401);
    const right = signText(partner.privateKey, text);
    expect((await call('POST', '/sessions', { body: { challengeId, signature: right } })).status).toBe(401);
  });

  it('is for its partner, its origin and its own time only', async () => {
    const { challengeId, text } = await challengeFor(partner.partnerID);
    const signedByOther = { challengeId, signature: signText(other.privateKey, text) };
    expect((await call('POST', '/sessions', { body: signedByOther })).status).toBe(401);
    const next = await challengeFor(partner.partnerID);
    const elsewhere = next.text.replace(ORIGIN, 'https://portal.example');
    const body = { challengeId: next.challengeId, signature: signText(partner.privateKey, elsewhere) };
    expect((await call('POST', '/sessions', { body })).status).toBe(401);
    const late = await challengeFor(partner.partnerID);
    await owner.query(`update portal_challenges set expires_at = clock_now() where challenge_id = $1`, [late.challengeId]);
    const signature = signText(partner.privateKey, late.text);
    expect((await call('POST', '/sessions', { body: { challengeId: late.challengeId, signature } })).status).toBe(401);
  });

  it('does not tell whether there is such a partner: the answers are the same', async () => {
    const shapeOf = (answer: Answer) => [answer.status, Object.keys(answer.body)];
    const body = (partnerID: string) => ({ body: { origin: ORIGIN, partnerID } });
    const [known, unknown] = [
      await call('POST', '/challenges', body(partner.partnerID)),
      await call('POST', '/challenges', body('nobody')),
    ];
    expect(shapeOf(unknown)).toEqual(shapeOf(known));
    const signature = signText(partner.privateKey, String(unknown.body['text']));
    const refused = await call('POST', '/sessions', { body: { challengeId: unknown.body['challengeId'], signature } });
    expect(refused.status).toBe(401);
  });
});

describe('a session', () => {
  it('is stored as the hash of its token, and its token is new at each sign-in', async () => {
    const first = await signIn(partner);
    const second = await signIn(partner, first);
    expect(second).not.toBe(first);
    const { rows } = await owner.query<{ token: string }>('select token_sha256 as token from portal_sessions where partner_id = $1', [
      partner.partnerID,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.token).toMatch(/^[0-9a-f]{64}$/);
    // The one that the browser came with has ended.
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  });

  it('ends with a sign-out', async () => {
    const token = await signIn(partner);
    expect((await call('POST', '/sign-out', { token })).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
  });

  it('ends when its key is revoked', async () => {
    const token = await signIn(partner);
    const { body } = await call('GET', '/session', { token });
    await asOperator('POST', `/partners/${partner.partnerID}/keys/${String(body['keyId'])}/revoke`);
    expect(await statusOf(token)).toBe(401);
    expect((await call('GET', '/partner/api/events', { token })).status).toBe(401);
  });

  it('ends when its partner is suspended, and does not come back when the partner is resumed', async () => {
    const token = await signIn(partner);
    await asOperator('POST', `/partners/${partner.partnerID}/suspend`);
    expect(await statusOf(token)).toBe(401);
    await asOperator('POST', `/partners/${partner.partnerID}/resume`);
    expect(await statusOf(token)).toBe(401);
  });

  it.each([
    ['its partner is being suspended', `update partners set status = 'SUSPENDED' where partner_id = $1`, 'partners'],
    [
      'its key is being revoked',
      `update partner_keys set status = 'REVOKED', revoked_by = 'anna', revoked_at = clock_timestamp() where partner_id = $1`,
      'partner_keys',
    ],
  ])('does not begin while %s: the sign-in waits for that, and is refused', async (_name, change, table) => {
    const { challengeId, text } = await challengeFor(partner.partnerID);
    const body = { challengeId, signature: signText(partner.privateKey, text) };
    await owner.query('begin');
    await owner.query(`select from ${table} where partner_id = $1 for update`, [partner.partnerID]);
    await owner.query(change, [partner.partnerID]);
    const attempt = call('POST', '/sessions', { body });
    await eventually(async () => {
      const { rows } = await owner.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      return rows.length === 1 ? true : undefined;
    });
    await owner.query('commit');
    expect((await attempt).status).toBe(401);
    expect((await owner.query('select from portal_sessions where partner_id = $1', [partner.partnerID])).rows).toEqual([]);
  });

  it('ends after half an hour without a request, and after ten hours; a request extends it', async () => {
    const age = (column: string, interval: string) =>
      owner.query(`update portal_sessions set ${column} = clock_timestamp() - $2::interval where partner_id = $1`, [
        partner.partnerID,
        interval,
      ]);
    const token = await signIn(partner);
    await age('seen_at', '29 minutes');
    expect(await statusOf(token)).toBe(200);
    const { rows } = await owner.query<{ fresh: boolean }>(
      `select seen_at > clock_timestamp() - interval '1 minute' as fresh from portal_sessions where partner_id = $1`,
      [partner.partnerID],
    );
    expect(rows).toEqual([{ fresh: true }]);
    await age('seen_at', '31 minutes');
    expect(await statusOf(token)).toBe(401);
    await age('seen_at', '1 second');
    await age('started_at', '10 hours 1 second');
    expect(await statusOf(token)).toBe(401);
  });
});

describe('the keys of a partner', () => {
  const newKey = () => renderOpenSshKey(generateKeyPairSync('ed25519').publicKey);
  const register = (token: string, publicKey = newKey()) => call('POST', '/keys', { token, body: { publicKey } });
  const idsOf = async (token: string) => {
    const { body } = await call('GET', '/keys', { token });
    return (body['items'] as { keyId: string; status: string }[]).map(({ keyId, status }) => [keyId, status]);
  };

  it('are registered by it and activated by an operator: it is the first of two people, and on record', async () => {
    const token = await signIn(partner);
    const { status, body } = await register(token);
    expect([status, body['status']]).toEqual([201, 'REGISTERED']);
    const keyId = String(body['keyId']);
    expect((await call('POST', `/keys/${keyId}/activate`, { token })).status).toBe(404);
    await asOperator('POST', `/partners/${partner.partnerID}/keys/${keyId}/activate`);
    expect(await idsOf(token)).toContainEqual([keyId, 'ACTIVE']);
    const { rows } = await owner.query('select operator, action from operator_audit where key_id = $1 order by position', [keyId]);
    expect(rows).toEqual([
      { operator: `partner:${partner.partnerID}`, action: 'key.registered' },
      { operator: 'anna', action: 'key.activated' },
    ]);
  });

  it('are revoked by it, and those of another partner are not there', async () => {
    const [token, foreign] = [await signIn(partner), await signIn(other)];
    const [[theirs] = []] = await idsOf(foreign);
    const [notMine, nothing] = [
      await call('POST', `/keys/${String(theirs)}/revoke`, { token, body: {} }),
      await call('POST', `/keys/${randomUUID()}/revoke`, { token, body: {} }),
    ];
    expect([notMine.status, notMine.body['error']]).toEqual([404, nothing.body['error']]);
    expect((await idsOf(foreign)).map(([, status]) => status)).not.toContain('REVOKED');
    const keyId = String((await register(token)).body['keyId']);
    expect((await call('POST', `/keys/${keyId}/revoke`, { token, body: {} })).body['status']).toBe('REVOKED');
  });

  it('are never all revoked by it: the only active one stays, and its session', async () => {
    const token = await signIn(partner);
    const revoke = (keyId: string) => call('POST', `/keys/${keyId}/revoke`, { token, body: {} });
    const [[only] = []] = await idsOf(token);
    // A key that is not active yet signs nothing: it does not count.
    const registered = String((await register(token)).body['keyId']);
    const refused = await revoke(String(only));
    expect([refused.status, refused.body['details']]).toEqual([
      400,
      [{ field: 'keyId', message: 'is your only active key: ask us to activate another one first, or to revoke this one' }],
    ]);
    expect(await idsOf(token)).toEqual([
      [only, 'ACTIVE'],
      [registered, 'REGISTERED'],
    ]);
    await asOperator('POST', `/partners/${partner.partnerID}/keys/${registered}/activate`);
    const both = await Promise.all([revoke(String(only)), revoke(registered)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await owner.query('select from partner_keys where partner_id = $1 and status = $2', [partner.partnerID, 'ACTIVE']);
    expect(rows).toHaveLength(1);
  });

  it('name nobody of our staff', async () => {
    const token = await signIn(partner);
    expect((await call('GET', '/keys', { token })).text).not.toMatch(/seed|By"/);
  });

  it('are ten at most that are not revoked', async () => {
    const token = await signIn(partner);
    const statuses: number[] = [];
    for (let count = 1; count <= OWN_KEYS_MAX; count += 1) statuses.push((await register(token)).status);
    expect(statuses).toEqual([...Array<number>(OWN_KEYS_MAX - 1).fill(201), 400]);
  });
});

/** Every operation of a service that a session may use, and every other one. */
const OPEN = ROUTES.filter(([method, pattern, service]) => service !== 'gateway' && isOpenToPortal(method, pattern)).map(
  ([method, pattern]) => [method, pattern] as const,
);
const CLOSED = ROUTES.filter(([method, pattern]) => !isOpenToPortal(method, pattern)).map(
  ([method, pattern]) => [method, pattern] as const,
);

const withIds = (pattern: string) => pattern.replace(/\{\w+\}/g, () => randomUUID());

describe('a request for a partner', () => {
  const partnerIn = (seen: TestService['seen'][number] | undefined) => {
    const token = String(seen?.headers['x-internal-token']);
    return (['payments', 'bindings', 'withdrawals', 'notifier'] as const).flatMap((name) => {
      const key = KEYS[`${name.toUpperCase() as Uppercase<typeof name>}_INTERNAL_TOKEN_KEY`];
      return internalTokenVerifier(name, key)(token) ?? [];
    });
  };

  it('GET /api/requests is answered here, for the partner of the session', async () => {
    await insertRequests(
      test.database.db,
      [partner, other].map(({ partnerID }) => ({
        partnerId: partnerID,
        requestId: randomUUID(),
        method: 'GET',
        path: `/of/${partnerID}`,
        status: 200,
        durationMs: 1,
        error: null,
        code: null,
        details: [],
        isVerified: true,
      })),
    );
    const { body } = await call('GET', '/partner/api/requests', { token: await signIn(partner) });
    expect(body).toMatchObject({ items: [{ path: `/of/${partner.partnerID}` }], nextPageToken: null });
  });

  it.each(OPEN)('%s %s is for the partner of the session, whoever else it names', async (method, pattern) => {
    const token = await signIn(partner);
    const answer = await call(method, `/partner${withIds(pattern)}`, {
      token,
      headers: { 'X-Partner-Id': other.partnerID, 'X-Internal-Token': 'x', 'Idempotency-Key': randomUUID() },
      ...(method === 'GET' ? {} : { body: { partnerID: other.partnerID } }),
    });
    expect(answer.status).toBe(200);
    expect(service.seen.map(partnerIn)).toEqual([[partner.partnerID]]);
  });

  const OLD_SESSIONS = [
    ...OPEN.filter(([method]) => method !== 'GET').map(([method, pattern]) => [method, `/partner${pattern}`] as const),
    ['POST', '/keys'],
    ['POST', '/keys/{keyId}/revoke'],
  ] as const;
  it.each(OLD_SESSIONS)(
    '403 FORBIDDEN: %s %s by a cookie alone, minutes after the sign-in; the key has to sign again (N5)',
    async (method, pattern) => {
      const token = await signIn(partner);
      await owner.query(`update gateway.portal_sessions set started_at = started_at - interval '5 minutes' where partner_id = $1`, [
        partner.partnerID,
      ]);
      const act = (session: string) =>
        call(method, withIds(pattern), { token: session, headers: { 'Idempotency-Key': randomUUID() }, body: {} });
      const isHarmless = /\/(?:replay|test-callback)$/.test(pattern);
      const answer = await act(token);
      expect([answer.status, service.seen.length]).toEqual(isHarmless ? [200, 1] : [403, 0]);
      if (isHarmless) return;
      expect(answer.body).toMatchObject({ code: 'FORBIDDEN', details: [{ field: 'session' }] });
      expect((await call('GET', '/partner/api/card', { token })).status).toBe(200);
      expect((await act(await signIn(partner, token))).status).not.toBe(403);
      expect(await statusOf(token)).toBe(401);
    },
  );

  it.each(CLOSED)('%s %s is not there: it needs a signed request', async (method, pattern) => {
    const token = await signIn(partner);
    expect((await call(method, `/partner${withIds(pattern)}`, { token, headers: { 'Idempotency-Key': 'k' } })).status).toBe(404);
    expect(service.seen).toEqual([]);
  });

  it('GET /api/requests shows what its partner has signed, and nothing of others', async () => {
    const [token, foreign] = [await signIn(partner), await signIn(other)];
    const pathsOf = async (session: string) => {
      const { body } = await call('GET', '/partner/api/requests', { token: session });
      return (body['items'] as { path: string }[]).map(({ path }) => path);
    };
    const target = `/api/card/${randomUUID()}`;
    // The gateway learns of a new partner within seconds.
    await eventually(async () => ((await sendSigned(gateway.urlOf('api'), partner, { target })).status === 200 ? true : undefined));
    await eventually(async () => ((await pathsOf(token)).includes(target) ? true : undefined));
    expect(await pathsOf(foreign)).not.toContain(target);
  });

  it('is refused as a signed one is: unknown parameters, ambiguous queries, no session', async () => {
    const token = await signIn(partner);
    expect((await call('GET', '/partner/api/events?partnerID=x', { token })).status).toBe(400);
    expect((await call('GET', '/partner/api/events?limit=1&limit=2', { token })).status).toBe(400);
    expect((await call('GET', '/partner/api/events')).status).toBe(401);
    expect((await call('GET', '/partner/api/events', { token: 'x'.repeat(43) })).status).toBe(401);
    expect(service.seen).toEqual([]);
  });

  it.each([
    ['GET', '/partner/api/events'],
    ['PUT', '/partner/api/integration/endpoints'],
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['POST', '/keys/{keyId}/revoke'],
  ])('%s %s from a page that shows another partner, or none, is refused and does nothing', async (method, path) => {
    const token = await signIn(partner);
    const body = method === 'GET' ? {} : { body: { publicKey: renderOpenSshKey(generateKeyPairSync('ed25519').publicKey) } };
    shown.delete(token);
    for (const headers of [{ 'X-Portal-Partner': other.partnerID }, { 'X-Portal-Partner': '' }, {}]) {
      const answer = await call(method, withIds(path), { token, headers, ...body });
      expect([answer.status, answer.body['code']]).toEqual([409, 'STALE_REVISION']);
    }
    expect(service.seen).toEqual([]);
    // Who is signed in can always be asked: the page reads it again after such a refusal.
    expect((await call('GET', '/session', { token })).body['partnerID']).toBe(partner.partnerID);
  });

  it('GET /test-clock shows the clock of TEST, and how far it is ahead', async () => {
    const token = await signIn(partner);
    expect((await call('GET', '/test-clock')).status).toBe(401);
    const real = await call('GET', '/test-clock', { token });
    expect(real.body).toEqual({ now: expect.stringMatching(/^2\d{3}-.*Z$/), aheadSeconds: 0 });
    const { rows } = await owner.query<{ text: string }>(`select pg_get_functiondef('clock_now()'::regprocedure) as text`);
    await owner.query(`create or replace function clock_now() returns timestamptz language sql stable as $$
      select clock_timestamp() + interval '1 minute' $$`);
    try {
      expect((await call('GET', '/test-clock', { token })).body['aheadSeconds']).toBe(60);
    } finally {
      await owner.query(rows[0]?.text ?? '');
    }
  });

  it('counts in the rate limit of its partner', async () => {
    const slow = await givenPartner(test.database, { ratePerSecond: 1, burst: 2 });
    const token = await signIn(slow);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await call('GET', '/partner/api/events', { token })).status);
    expect(statuses).toContain(429);
  });
});

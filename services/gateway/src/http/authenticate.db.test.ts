import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalString } from '@pay/signing/canonical-request.ts';
import { signText } from '@pay/signing/ed25519.ts';
import { migrateService, type ServiceProcess } from '../../../../tools/testing/process.ts';
import { createAuthority, startTlsWay, throughTls, type Authority, type TlsWay } from '../../../../tools/testing/tls-way.ts';
import {
  authorize,
  causeOf,
  detailOf,
  eventually,
  freshNonce,
  givenPartner,
  requestBytes,
  sendRaw,
  sendSigned,
  startGateway,
  startTestDatabase,
  startTestService,
  type RawAnswer,
  type TestPartner,
  type TestService,
} from '../../test/gateway.ts';
import { ROUTES } from './routes.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let service: TestService;
let gateway: ServiceProcess;
let live: ServiceProcess;
let authority: Authority;
let way: TlsWay;
let base: string;
let partner: TestPartner;
let other: TestPartner;

beforeAll(async () => {
  test = await startTestDatabase();
  service = await startTestService();
  partner = await givenPartner(test.database);
  other = await givenPartner(test.database);
  gateway = await startGateway(test.url, service.url);
  authority = createAuthority();
  way = await startTlsWay(new URL(test.url), authority, true);
  await migrateService('gateway', throughTls(test.ownerUrl, way, authority), 'LIVE');
  live = await startGateway(throughTls(test.url, way, authority), service.url, { ENVIRONMENT: 'LIVE' });
  base = gateway.urlOf('api');
});

afterAll(async () => {
  await Promise.all([gateway.stop(), live.stop()]);
  await service.stop();
  await way.stop();
  authority.remove();
  await test.drop();
});

/** Sends a GET whose Authorization members are changed after signing. */
const sendChanged = (change: Record<string, unknown>, draft: Parameters<typeof authorize>[1] = {}) =>
  sendRaw(base, requestBytes({ authorization: { ...authorize(partner, draft), ...change } }));

/** Signs any text with the partner's key and sends it for a POST. */
const sendSignedText = (slip: (canonical: string) => string): Promise<RawAnswer> => {
  const draft = { method: 'POST', target: '/api/card', body: '{}', idempotencyKey: 'k'.repeat(16) };
  const authorization = authorize(partner, draft);
  const { timestamp, nonce } = authorization;
  const text = canonicalString({
    ...draft,
    timestamp: String(timestamp),
    nonce: String(nonce),
    body: Buffer.from(draft.body),
  });
  const sign = signText(partner.privateKey, slip(text));
  return sendRaw(base, requestBytes({ ...draft, authorization: { ...authorization, sign } }));
};

const refused = (cause: string) => [401, cause];
const outcome = (answer: RawAnswer) => [answer.status, causeOf(answer)];

describe('a correct signature (A01)', () => {
  const forwarded = ROUTES.filter(([, , service]) => service !== 'gateway');
  it.each(forwarded.map(([method, pattern, service]) => [method, pattern, service] as const))(
    '%s %s reaches %s, and only if it is signed',
    async (method, pattern, owner) => {
      const target = pattern.replace(/\{[^}]+\}/, '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11');
      const body = method === 'GET' ? '' : '{"a":1}';
      const before = service.seen.length;
      expect(outcome(await sendRaw(base, requestBytes({ method, target, body })))).toEqual(refused('malformed_authorization'));
      expect(service.seen).toHaveLength(before);
      const answer = await sendSigned(base, partner, { method, target, body });
      expect(answer.status).toBe(200);
      expect(service.seen.at(-1)).toMatchObject({ method, url: target });
      expect(owner).toEqual(expect.any(String));
    },
  );

  it('a query that is sent unsorted and signed sorted (A25)', async () => {
    expect((await sendSigned(base, partner, { target: '/v1/bindings?status=ACTIVE&customerId=c1' })).status).toBe(200);
  });

  it('one nonce of two partners (A12)', async () => {
    const nonce = freshNonce();
    expect((await sendSigned(base, partner, { nonce })).status).toBe(200);
    expect((await sendSigned(base, other, { nonce })).status).toBe(200);
  });

  it.each([16, 128])('a nonce of %i characters (A06)', async (length) => {
    expect((await sendSigned(base, partner, { nonce: freshNonce().repeat(6).slice(0, length) })).status).toBe(200);
  });
});

describe('the clock', () => {
  it.each([-302, 302, -400_000, 400_000])('%i s off is refused (A02)', async (clockOffset) => {
    const answer = await sendSigned(base, partner, { clockOffset });
    expect(outcome(answer)).toEqual(refused('clock_skew'));
    expect(detailOf(answer, 'serverTime')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([-298, 300])('%i s off is accepted (A03)', async (clockOffset) => {
    expect((await sendSigned(base, partner, { clockOffset })).status).toBe(200);
  });

  it.each([
    '1e9',
    '0x3B9ACA00',
    ' 1790000000',
    '1790000000 ',
    '1790000000.9',
    '+1790000000',
    '-1790000000',
    '',
    '1790000000000',
    '１７９０００００００',
    'NaN',
  ])('the timestamp %j is malformed (A04)', async (timestamp) => {
    expect(outcome(await sendChanged({ timestamp }))).toEqual(refused('malformed_authorization'));
  });

  it('a timestamp that is a JSON number (A05)', async () => {
    expect(outcome(await sendChanged({ timestamp: Math.floor(Date.now() / 1_000) }))).toEqual(refused('malformed_authorization'));
  });
});

describe('a malformed Authorization', () => {
  const good = () => JSON.stringify(authorize(partner, {}));
  it.each([
    ['none', () => undefined],
    ['not JSON', () => 'Bearer token'],
    ['an array', () => '[]'],
    ['null', () => 'null'],
    ['an unfinished object', () => good().slice(0, -1)],
    ['a sixth member', () => good().replace('{', '{"version":"1",')],
    ['a member twice', () => good().replace('{', '{"nonce":"xxxxxxxxxxxxxxxx",')],
    ['a member twice, spelled differently', () => good().replace('{', '{"\\u006eonce":"xxxxxxxxxxxxxxxx",')],
    ['a prototype name', () => good().replace('{', '{"__proto__":{},')],
    ['without nonce', () => good().replace(/,"nonce":"[^"]*"/, '')],
    ['a nonce of 15 (A06)', () => JSON.stringify({ ...authorize(partner, {}), nonce: 'n'.repeat(15) })],
    ['a nonce of 129 (A06)', () => JSON.stringify({ ...authorize(partner, {}), nonce: 'n'.repeat(129) })],
    ['a nonce with a line feed', () => JSON.stringify({ ...authorize(partner, {}), nonce: `${'n'.repeat(16)}\nGET` })],
    ['sign of 0 bytes (A21)', () => JSON.stringify({ ...authorize(partner, {}), sign: '' })],
    ['sign of 63 bytes (A21)', () => JSON.stringify({ ...authorize(partner, {}), sign: Buffer.alloc(63).toString('base64') })],
    ['sign of 65 bytes (A21)', () => JSON.stringify({ ...authorize(partner, {}), sign: Buffer.alloc(65).toString('base64') })],
    ['sign in base64url', () => JSON.stringify({ ...authorize(partner, {}), sign: Buffer.alloc(64, 0xfb).toString('base64url') })],
    ['a null partnerID', () => JSON.stringify({ ...authorize(partner, {}), partnerID: null })],
    ['bytes that are not ASCII', () => good().replace('"nonce"', '"n\xf6nce"')],
  ])('%s', async (_name, authorization) => {
    const before = service.seen.length;
    expect(outcome(await sendRaw(base, requestBytes({ authorization: authorization() })))).toEqual(refused('malformed_authorization'));
    expect(service.seen).toHaveLength(before);
  });

  it('two Authorization headers, both good (A32)', async () => {
    const headers = [`Authorization: ${good()}`];
    expect(outcome(await sendRaw(base, requestBytes({ authorization: good(), headers })))).toEqual(refused('malformed_authorization'));
  });
});

describe('partner and key', () => {
  it.each([
    ['other case (A13)', (p: TestPartner) => ({ partnerID: p.partnerID.toUpperCase() })],
    ['a trailing space (A13)', (p: TestPartner) => ({ partnerID: `${p.partnerID} ` })],
    ['another partner’s id', () => ({ partnerID: other.partnerID })],
    ['another partner’s key', () => ({ key: other.key })],
    ['a comment (A14)', (p: TestPartner) => ({ key: `${p.key} me@host` })],
    ['other padding (A14)', (p: TestPartner) => ({ key: `${p.key}=` })],
    ['two spaces (A14)', (p: TestPartner) => ({ key: p.key.replace(' ', '  ') })],
    ['ssh-rsa (A15)', (p: TestPartner) => ({ key: p.key.replace('ssh-ed25519', 'ssh-rsa') })],
  ])('%s', async (_name, change) => {
    const answer = await sendChanged(change(partner));
    expect(outcome(answer)).toEqual(refused('unknown_partner_or_key'));
    // A caller who did not name a partner and its key learns nothing about how the request was read.
    expect(detailOf(answer, 'canonicalString')).toBeUndefined();
  });

  it('a look-alike letter (A13)', async () => {
    const lookAlike = partner.partnerID.replace('a', '\\u0430');
    const authorization = JSON.stringify(authorize(partner, {})).replace(partner.partnerID, lookAlike);
    expect(outcome(await sendRaw(base, requestBytes({ authorization })))).toEqual(refused('unknown_partner_or_key'));
  });

  it('a line break after the key (A14)', async () => {
    expect((await sendChanged({ key: `${partner.key}\r\n` })).status).toBe(401);
  });
});

describe('the signature', () => {
  it.each([
    ['a trailing line feed (A22)', (text: string) => `${text}\n`],
    ['CRLF (A22)', (text: string) => text.replaceAll('\n', '\r\n')],
    ['six parts (A22)', (text: string) => text.split('\n').slice(0, 6).join('\n')],
    ['eight parts (A22)', (text: string) => `${text}\nx`],
    ['the method in lower case (A23)', (text: string) => text.replace('\nPOST\n', '\npost\n')],
    ['the hash in upper case', (text: string) => text.replace(/[0-9a-f]{64}$/, (hash) => hash.toUpperCase())],
    ['without Idempotency-Key', (text: string) => text.replace('k'.repeat(16), '')],
  ])('%s', async (_name, slip) => {
    const answer = await sendSignedText(slip);
    expect(outcome(answer)).toEqual(refused('signature_mismatch'));
    // The partner learns how the server read the request.
    expect(detailOf(answer, 'canonicalString')).toMatch(/^\d+\n[^\n]+\nPOST\n\/api\/card\n\nk{16}\n[0-9a-f]{64}$/);
  });

  it.each([
    ['one white space of the body (A24)', { body: '{"a": 1}' }, { body: '{"a":1}' }],
    ['the method', { method: 'POST' }, { method: 'PUT' }],
    ['the path', { target: '/api/card/1' }, { target: '/api/card/2' }],
    ['the query', { target: '/v1/bindings?customerId=1' }, { target: '/v1/bindings?customerId=2' }],
    ['%2f and %2F as sent and signed (A27)', { target: '/api/payments/a%3ab' }, { target: '/api/payments/a%3Ab' }],
    ['an over-encoded letter of the path (A27)', { target: '/api/payments/%61' }, { target: '/api/payments/a' }],
    ['a plus of the path (A27)', { target: '/api/payments/a+b' }, { target: '/api/payments/a%20b' }],
    ['the Idempotency-Key', { idempotencyKey: 'a'.repeat(16) }, { idempotencyKey: 'b'.repeat(16) }],
  ])('refuses a change of %s', async (_name, signed, sent) => {
    const draft = { method: 'body' in signed ? 'POST' : 'GET', target: '/api/card' };
    const authorization = authorize(partner, { ...draft, ...signed });
    const answer = await sendRaw(base, requestBytes({ ...draft, ...sent, authorization }));
    expect(outcome(answer)).toEqual(refused('signature_mismatch'));
  });

  it('a nonce is used up by a valid signature only', async () => {
    const nonce = freshNonce();
    expect(outcome(await sendChanged({ sign: Buffer.alloc(64).toString('base64') }, { nonce }))).toEqual(refused('signature_mismatch'));
    expect((await sendSigned(base, partner, { nonce })).status).toBe(200);
    expect(outcome(await sendSigned(base, partner, { nonce }))).toEqual(refused('nonce_reused'));
    expect(outcome(await sendSigned(base, partner, { nonce, clockOffset: 5, target: '/api/card/other' }))).toEqual(refused('nonce_reused'));
  });
});

describe('what a 401 tells', () => {
  it('in LIVE nothing but unauthorized, whatever the cause', async () => {
    const drafts = [
      requestBytes({}),
      requestBytes({ authorization: { ...authorize(partner, {}), partnerID: 'nobody' } }),
      requestBytes({ authorization: authorize(partner, { clockOffset: 4_000 }) }),
      requestBytes({ authorization: authorize(partner, { target: '/api/card/1' }) }),
    ];
    for (const bytes of drafts) {
      const answer = await sendRaw(live.urlOf('api'), bytes);
      const requestId = answer.headers['x-request-id'];
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toEqual({ error: 'unauthorized', code: 'UNAUTHORIZED', requestId });
    }
  });

  it('in LIVE the requests of a partner are not listed', async () => {
    for (const target of ['/api/requests', '/api/request-stream'])
      expect((await sendRaw(live.urlOf('api'), requestBytes({ authorization: authorize(partner, { target }), target }))).status).toBe(404);
  });

  it('in TEST error is exactly unauthorized too', async () => {
    expect(JSON.parse((await sendRaw(base, requestBytes({}))).body)).toMatchObject({
      error: 'unauthorized',
      code: 'UNAUTHORIZED',
    });
  });

  it('operators find the cause by the request id, and no secret beside it', async () => {
    const authorization = authorize(partner, { target: '/api/card/1' });
    const answer = await sendRaw(live.urlOf('api'), requestBytes({ authorization }));
    const line = await eventually(() => live.log.find((entry) => entry['requestId'] === answer.headers['x-request-id']));
    expect(line).toMatchObject({
      msg: 'call',
      partner: partner.partnerID,
      cause: 'signature_mismatch',
      status: 401,
      outcome: 'refused',
    });
    expect(line['fingerprint']).toMatch(/^SHA256:/);
    const written = JSON.stringify(live.log);
    expect(written).not.toContain(String(authorization['sign']));
    expect(written).not.toContain(String(authorization['nonce']));
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { canonicalString, refusedTarget, repeatedQueryName } from '@pay/signing/canonical-request.ts';
import fc from 'fast-check';
import type { ServiceProcess } from '../../../../tools/testing/process.ts';
import {
  authorize,
  causeOf,
  givenPartner,
  requestBytes,
  sendRaw,
  startGateway,
  startTestDatabase,
  startTestService,
  type TestPartner,
  type TestService,
} from '../../test/gateway.ts';

// The verifier alone is given ten thousand of these (packages/signing/src/request-signature.test.ts);
// here some hundreds go over sockets, through node's parser, to the real public API.
const RUNS = 300;

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let service: TestService;
let gateway: ServiceProcess;
let partner: TestPartner;

beforeAll(async () => {
  test = await startTestDatabase();
  service = await startTestService();
  partner = await givenPartner(test.database);
  gateway = await startGateway(test.url, service.url, { FAILED_AUTHENTICATIONS_PER_MINUTE: '1000000' });
});

afterAll(async () => {
  await gateway.stop();
  await service.stop();
  await test.drop();
});

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 16,
  maxLength: 40,
});
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const path = fc.oneof(
  fc.constantFrom('/api/card', '/v1/bindings', '/api/integration/endpoints', '/api/withdrawal-requests'),
  fc
    .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map(encodeURIComponent), { minLength: 1 })
    .map((segments) => `/${segments.join('/')}`),
);
const query = fc.array(fc.tuple(text, text), { maxLength: 4 }).map((pairs) => new URLSearchParams(pairs).toString());
const request = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    target: fc.tuple(path, query).map(([own, pairs]) => (pairs === '' ? own : `${own}?${pairs}`)),
    idempotencyKey: fc.oneof(fc.constant(''), visible),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      text.map((value) => Buffer.from(JSON.stringify({ value }))),
    ),
  })
  .filter(({ target }) => refusedTarget(target) === undefined && repeatedQueryName(target) === undefined)
  .map((made) => (made.method === 'GET' ? { ...made, body: Buffer.alloc(0) } : made));

/** Replaces one character of a text by another. */
const changed = (value: string, at: number): string => {
  const index = at % value.length;
  return `${value.slice(0, index)}${value[index] === 'a' ? 'b' : 'a'}${value.slice(index + 1)}`;
};

it(`${String(RUNS)} random requests over sockets pass the gateway, and with one byte of a signed part changed they do not`, async () => {
  const parts = fc.constantFrom('timestamp', 'nonce', 'method', 'target', 'idempotencyKey', 'body');
  await fc.assert(
    fc.asyncProperty(request, parts, fc.nat(), async (draft, part, at) => {
      const base = gateway.urlOf('api');
      const authorization = authorize(partner, draft);
      const passed = await sendRaw(base, requestBytes({ ...draft, authorization }));
      // Whether such a route or query exists is answered only to an authenticated caller.
      const isUnknownName = passed.status === 400 && passed.body.includes('is not a parameter of this request');
      expect([200, 404, 405]).toContain(isUnknownName ? 200 : passed.status);

      const signed = authorize(partner, draft);
      const { method, target, idempotencyKey, body } = draft;
      const [own = '', pairs] = target.split('?');
      const other = {
        timestamp: { sent: draft, authorization: { ...signed, timestamp: String(Number(signed['timestamp']) - 1) } },
        nonce: { sent: draft, authorization: { ...signed, nonce: changed(String(signed['nonce']), at) } },
        method: { sent: { ...draft, method: method === 'DELETE' ? 'PUT' : 'DELETE' }, authorization: signed },
        target: {
          sent: { ...draft, target: `${own}a${pairs === undefined ? '' : `?${pairs}`}` },
          authorization: signed,
        },
        idempotencyKey: {
          sent: { ...draft, idempotencyKey: idempotencyKey === '' ? 'k' : changed(idempotencyKey, at) },
          authorization: signed,
        },
        body: {
          sent: { ...draft, method: method === 'GET' ? 'POST' : method, body: Buffer.concat([body, Buffer.from(' ')]) },
          authorization: signed,
        },
      }[part];
      const refused = await sendRaw(base, requestBytes({ ...other.sent, authorization: other.authorization }));
      expect([refused.status, causeOf(refused)]).toEqual([401, 'signature_mismatch']);
    }),
    { numRuns: RUNS },
  );
});

it('the canonical string that a 401 shows is the one to sign', async () => {
  await fc.assert(
    fc.asyncProperty(request, async (draft) => {
      const authorization = authorize(partner, { ...draft, target: '/other' });
      const answer = await sendRaw(gateway.urlOf('api'), requestBytes({ ...draft, authorization }));
      const { timestamp, nonce } = authorization;
      const right = canonicalString({ ...draft, timestamp: String(timestamp), nonce: String(nonce) });
      expect(answer.body).toContain(JSON.stringify(right).slice(1, -1));
    }),
    { numRuns: 50 },
  );
});

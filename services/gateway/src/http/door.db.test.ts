import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { ServiceProcess } from '../../../../tools/testing/process.ts';
import {
  authorize,
  causeOf,
  freshNonce,
  givenPartner,
  KEYS,
  requestBytes,
  sendRaw,
  sendSigned,
  startGateway,
  startTestDatabase,
  startTestUpstream,
  type TestPartner,
  type TestUpstream,
} from '../../test/gateway.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let upstream: TestUpstream;
let gateway: ServiceProcess;
let base: string;
let partner: TestPartner;

beforeAll(async () => {
  test = await startTestDatabase();
  upstream = await startTestUpstream();
  partner = await givenPartner(test.database);
  gateway = await startGateway(test.url, upstream.url);
  base = gateway.urlOf('api');
}, 60_000);

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
  await test.drop();
});

describe('a signed request', () => {
  it('reaches the service with its bytes unchanged and a token for the partner', async () => {
    const body = '{ "amount":10.50,\n "x":"Чай" }';
    const answer = await sendSigned(base, partner, {
      method: 'POST',
      target: '/api/card?a=1&b=2',
      body,
      idempotencyKey: 'k'.repeat(16),
    });
    expect(answer.status).toBe(200);
    const seen = upstream.seen.at(-1);
    expect(seen?.body.toString()).toBe(body);
    expect(seen?.url).toBe('/api/card?a=1&b=2');
    const verify = internalTokenVerifier('payments', KEYS.PAYMENTS_INTERNAL_TOKEN_KEY);
    expect(verify(String(seen?.headers['x-internal-token']))).toBe(partner.partnerID);
    expect(seen?.headers['x-request-id']).toBe(answer.headers['x-request-id']);
  });

  it('401 nonce_reused', async () => {
    const nonce = freshNonce();
    expect((await sendSigned(base, partner, { nonce })).status).toBe(200);
    const again = await sendSigned(base, partner, { nonce });
    expect([again.status, causeOf(again)]).toEqual([401, 'nonce_reused']);
  });

  it('401 signature_mismatch', async () => {
    const authorization = authorize(partner, { target: '/v1/bindings?a=1' });
    const answer = await sendRaw(base, requestBytes({ target: '/v1/bindings?a=2', authorization }));
    expect([answer.status, causeOf(answer)]).toEqual([401, 'signature_mismatch']);
  });
});

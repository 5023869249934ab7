import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { noOwners } from '../../../../../packages/shared/test/no-owners.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import { PARTNER, startTestApp, type TestApp } from '../../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './app.ts';

let t: TestApp;
let listener: Listener;
const key = randomBytes(32);
const people = testConsoleKey();

beforeAll(async () => {
  t = await startTestApp();
  const deps = {
    ...t.deps,
    handlers: {},
    owners: noOwners('bindings'),
    verify: () => undefined,
    pageTokens: pageTokens(key, 'bindings'),
  };
  listener = await listen(createOperatorApp(deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await listener.drain(0);
  await t.close();
});

const read = (path: string) => ask('GET', path);
const ask = async (method: 'GET' | 'POST', path: string) => {
  const url = `http://127.0.0.1:${String(listener.port)}/${path}`;
  const answer = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url, { method });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
};

const text = 'I agree that the card is saved and charged not more often than once a month.';
const shown = (bindingId: string, consentId: unknown) => ({
  consentId,
  bindingId,
  paymentId: randomUUID(),
  partnerId: PARTNER,
  customerId: 'buyer',
  storeName: 'Tea',
  period: 'P1M',
  capture: 'SERVICE',
  text,
  version: '2026-03',
  sha256: createHash('sha256').update(text).digest('hex'),
  acceptedAt: '2026-03-01T10:00:00.000Z',
  address: '203.0.113.7',
  userAgent: 'Browser/1',
});

describe('what an operator can show in a dispute', () => {
  it('a binding of any partner with its consent: text, version, SHA-256, time, address and browser', async () => {
    const bindingId = await t.givenBinding({ cardMask: '220070******1234', cardExpiry: '2038-09' });
    const { consentId } = await t.binding(bindingId);
    expect((await read(`bindings/${bindingId}`)).body).toMatchObject({ bindingId, consent: null });
    const given = shown(bindingId, consentId);
    await t.consent(given);
    const { status, body } = await read(`bindings/${bindingId}`);
    const { partnerId, ...evidence } = given;
    expect([status, body]).toEqual([
      200,
      {
        partnerID: PARTNER,
        ...(await t.binding(bindingId)),
        openPaymentId: null,
        consent: { ...evidence, partnerID: partnerId, reference: null, recordedAt: expect.any(String) },
      },
    ]);
  });

  it('the shop’s own evidence: reference, version, acceptedAt and evidenceHash, though no binding came of it', async () => {
    const consentId = randomUUID();
    const { address: _address, userAgent: _agent, ...rest } = shown(randomUUID(), consentId);
    const sha256 = 'a'.repeat(64);
    await t.consent({ ...rest, capture: 'MERCHANT', text: null, reference: 'click-17', version: 'v7', sha256 });
    expect((await read(`consents/${consentId}`)).body).toMatchObject({
      consentId,
      capture: 'MERCHANT',
      reference: 'click-17',
      version: 'v7',
      acceptedAt: '2026-03-01T10:00:00.000Z',
      sha256,
      text: null,
      address: null,
    });
  });

  it.each([randomUUID(), 'x'])('404 for %s, which names nothing', async (id) => {
    for (const what of ['bindings', 'consents']) expect((await read(`${what}/${id}`)).status).toBe(404);
  });

  it('401 without a token, and with one that the gateway makes for partners', async () => {
    const partners = internalTokenSigner('gateway', 'bindings', key)(PARTNER);
    const url = `http://127.0.0.1:${String(listener.port)}/bindings/x`;
    for (const headers of [{}, { 'x-operator-identity': partners }]) expect((await fetch(url, { headers })).status).toBe(401);
  });
});

describe('support, for a buyer who calls', () => {
  it('finds the saved cards of a partner by buyer and by last four digits, newest first, page by page', async () => {
    const partner = `p-${randomUUID()}`;
    const first = await t.givenBinding({ partner, customerId: 'anna', cardMask: '220070******1234' });
    const second = await t.givenBinding({ partner, customerId: 'anna', cardMask: '220070******9999' });
    await t.givenBinding({ customerId: 'anna', cardMask: '220070******1234' });
    const idsOf = ({ body }: Awaited<ReturnType<typeof read>>) =>
      (body['items'] as { bindingId: string }[]).map(({ bindingId }) => bindingId);
    const page = await read(`bindings?partnerID=${partner}&customerId=anna&limit=1`);
    const next = await read(`bindings?partnerID=${partner}&customerId=anna&limit=1&pageToken=${String(page.body['nextPageToken'])}`);
    expect([idsOf(page), idsOf(next), next.body['nextPageToken']]).toEqual([[second], [first], null]);
    expect(idsOf(await read(`bindings?partnerID=${partner}&cardLastFour=1234`))).toEqual([first]);
    expect((await read('bindings?customerId=anna')).status).toBe(400);
  });

  it('revokes a card: the partner is told once, however often it is asked', async () => {
    const bindingId = await t.givenBinding({});
    const revoked = await ask('POST', `bindings/${bindingId}/revoke`);
    expect([revoked.status, revoked.body['status']]).toEqual([200, 'REVOKED']);
    expect((await ask('POST', `bindings/${bindingId}/revoke`)).status).toBe(200);
    expect((await t.events(bindingId)).map(({ type }) => type)).toEqual(['binding.created', 'binding.revoked']);
    expect((await t.charge(bindingId)).body).toMatchObject({ code: 'BINDING_REVOKED' });
    expect((await ask('POST', `bindings/${randomUUID()}/revoke`)).status).toBe(404);
  });
});

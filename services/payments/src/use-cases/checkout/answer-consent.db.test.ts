import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsentGiven, PaymentCompleted } from '@pay/contract/messages.ts';
import { decrypt } from '@pay/shared/encryption/encryption.ts';
import { DEFAULT_PARTNER, SHOWN, startTestApp, type TestApp } from '../../../test/app.ts';
import { gate, silence } from '../../../test/bank.ts';
import { answerConsent } from './answer-consent.ts';
import { cancelByBuyer } from './cancel-by-buyer.ts';
import { openCheckout } from './open-checkout.ts';

const SAVING = { savePaymentMethod: true, recurringConsent: { period: 'P1M' } };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.bank.verdict = {};
  t.bank.interrupt('register', 'before', undefined);
});

const yes = (checkoutToken: string) => answerConsent(t.deps, { checkoutToken, agreed: SHOWN });
const no = (checkoutToken: string) => answerConsent(t.deps, { checkoutToken, agreed: undefined });
const typesOf = async (id: string) => (await t.messages(id)).map(({ type }) => type);

describe('the buyer agrees', () => {
  it('consent.given with the exact text, version, hash, the database’s time, address and agent; then SUBMITTED', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await yes(checkoutToken);
    const row = await t.payment(id);
    expect(row).toMatchObject({ status: 'SUBMITTED', consent: 'GIVEN' });
    const [told, ...more] = await t.messages(id);
    expect([told?.type, more]).toEqual(['consent.given', []]);
    const consent = ConsentGiven.parse(told?.payload);
    expect(consent).toEqual({
      consentId: row['consent_id'],
      bindingId: row['binding_id'],
      paymentId: id,
      partnerId: DEFAULT_PARTNER,
      customerId: 'buyer-1',
      storeName: 'Coffee & Books',
      period: 'P1M',
      capture: 'SERVICE',
      ...SHOWN,
      acceptedAt: expect.any(String),
    });
    expect(consent.sha256).toBe(createHash('sha256').update(String(consent.text), 'utf8').digest('hex'));
    expect(consent.consentId).toMatch(UUID);
    expect(consent.bindingId).toMatch(UUID);
    expect((await t.read(id)).body).not.toHaveProperty('bindingId');
  });

  it('the time is the database’s, not the process’s', async () => {
    const moved = await startTestApp();
    try {
      await moved.moveClock('40 days');
      const { id, checkoutToken } = await moved.givenPayment(SAVING);
      await answerConsent(moved.deps, { checkoutToken, agreed: SHOWN });
      const [told] = await moved.messages(id);
      const acceptedAt = Date.parse(String(told?.payload['acceptedAt']));
      expect(acceptedAt - Date.now()).toBeGreaterThan(39 * 24 * 3_600_000);
    } finally {
      await moved.close();
    }
  });

  it('pays: the bank is asked to save the card; payment.completed tells the saved card; the token is kept encrypted', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await yes(checkoutToken);
    await t.pay(checkoutToken);
    const row = await t.payment(id);
    const { body } = t.bank.calls.find(({ call, operationId }) => call === 'authorize' && operationId === id) ?? {};
    expect(body).toMatchObject({ saveCard: true });
    const messages = await t.messages(id);
    expect(messages.map(({ type }) => type)).toEqual(['consent.given', 'payment.completed']);
    expect(PaymentCompleted.parse(messages[1]?.payload).savedCard).toEqual({
      bindingId: row['binding_id'],
      consentId: row['consent_id'],
      customerId: 'buyer-1',
      period: 'P1M',
      cardMask: '411111******1111',
      cardExpiry: '2030-12',
    });
    expect(messages[1]?.payload).not.toHaveProperty('bindingId');
    const [card] = await t.rows('select * from saved_cards where payment_id = $1', [id]);
    const bindingId = String(row['binding_id']);
    const token = t.bank.operations.get(id)?.cardToken ?? '';
    const kept = String(card?.['card_token_encrypted']);
    expect(card).toMatchObject({ binding_id: bindingId, partner_id: DEFAULT_PARTNER, card_mask: '411111******1111' });
    expect(kept).not.toContain(token);
    expect(decrypt(t.deps.encryptionKeys, kept, `card-token:${bindingId}`).toString()).toBe(token);
    expect(() => decrypt(t.deps.encryptionKeys, kept, `card-token:${id}`)).toThrow();
  });

  it('19.15: GET /api/card/{id} shows bindingId from the moment the payment is paid, also once it is refunded', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await yes(checkoutToken);
    t.bank.verdict = { status: 'PENDING' };
    await t.pay(checkoutToken);
    const pending = (await t.read(id)).body;
    expect([pending['status'], pending['bindingId']]).toEqual(['PENDING', undefined]);
    t.bank.change(id, { status: 'APPROVED' });
    await t.moveClock('1 minute');
    await t.work();
    const { binding_id: bindingId } = await t.payment(id);
    expect((await t.read(id)).body).toMatchObject({ status: 'COMPLETED', bindingId });
    await t.call('POST', `/api/card/${id}/refunds`, { body: {} });
    expect((await t.read(id)).body).toMatchObject({ status: 'REFUNDED', bindingId });
  });

  it('the bank’s token is in no message, and no answer of the API', async () => {
    const { id } = await t.givenSavedCard();
    const token = t.bank.operations.get(id)?.cardToken ?? 'none';
    expect(JSON.stringify(await t.messages(id))).not.toContain(token);
    expect((await t.read(id)).text).not.toContain(token);
  });

  it.each([
    ['no mask', { cardMask: null }, { cardExpiry: '2030-12' }],
    ['no expiry', { cardExpiry: null }, { cardMask: '411111******1111' }],
    ['a mask in a form of its own', { cardMask: 'x1111' }, { cardExpiry: '2030-12' }],
  ] as const)('the bank told %s: it is left out', async (_what, facts, told) => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await yes(checkoutToken);
    t.bank.verdict = facts;
    await t.pay(checkoutToken);
    const { cardMask, cardExpiry } = PaymentCompleted.parse((await t.messages(id))[1]?.payload).savedCard ?? {};
    expect({ cardMask, cardExpiry }).toEqual({ cardMask: undefined, cardExpiry: undefined, ...told });
  });

  it('the bank gave no token: paid, but no card is saved and no binding is named', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await yes(checkoutToken);
    t.bank.verdict = { cardToken: null };
    await t.pay(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', binding_id: null });
    expect(PaymentCompleted.parse((await t.messages(id))[1]?.payload).savedCard).toBeUndefined();
    expect((await t.read(id)).body).not.toHaveProperty('bindingId');
    expect(await t.rows('select 1 from saved_cards where payment_id = $1', [id])).toEqual([]);
  });

  it('the card is declined: no card is saved, and no binding is named', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await yes(checkoutToken);
    t.bank.verdict = { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' };
    await t.pay(checkoutToken);
    expect(await typesOf(id)).toEqual(['consent.given', 'payment.failed']);
    expect((await t.read(id)).body).not.toHaveProperty('bindingId');
    expect(await t.rows('select 1 from saved_cards where payment_id = $1', [id])).toEqual([]);
  });

  it('twice at once, and again: one consent, one binding', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await Promise.all([yes(checkoutToken), yes(checkoutToken), yes(checkoutToken)]);
    await yes(checkoutToken);
    expect(await typesOf(id)).toEqual(['consent.given']);
  });
});

describe('the buyer leaves the box empty', () => {
  it('SUBMITTED, paid once: the bank is not asked to save, no consent, no saved card', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await no(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', consent: 'DECLINED' });
    await t.pay(checkoutToken);
    const { body } = t.bank.calls.find(({ call, operationId }) => call === 'authorize' && operationId === id) ?? {};
    expect(body).toMatchObject({ saveCard: false });
    const messages = await t.messages(id);
    expect(messages.map(({ type }) => type)).toEqual(['payment.completed']);
    expect(messages[0]?.payload).not.toHaveProperty('savedCard');
    expect((await t.read(id)).body).toMatchObject({ status: 'COMPLETED' });
    expect((await t.read(id)).body).not.toHaveProperty('bindingId');
  });

  it('a token that the bank gives all the same is not kept', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await no(checkoutToken);
    t.bank.verdict = { cardToken: 'uninvited' };
    await t.pay(checkoutToken);
    expect((await t.payment(id))['status']).toBe('COMPLETED');
    expect(await t.rows('select 1 from saved_cards where payment_id = $1', [id])).toEqual([]);
  });
});

describe('another answer', () => {
  it('no after yes, before the card: nothing is saved; yes after no is a consent and a binding of its own', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await yes(checkoutToken);
    const first = await t.payment(id);
    await no(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', consent: 'DECLINED', binding_id: null });
    await yes(checkoutToken);
    await t.pay(checkoutToken);
    const messages = await t.messages(id);
    expect(messages.map(({ type }) => type)).toEqual(['consent.given', 'consent.given', 'payment.completed']);
    const [a, b, completed] = messages.map(({ payload }) => payload);
    expect(a).toMatchObject({ bindingId: first['binding_id'] });
    expect(b?.['bindingId']).not.toBe(a?.['bindingId']);
    expect(PaymentCompleted.parse(completed).savedCard).toMatchObject({
      bindingId: b?.['bindingId'],
      consentId: b?.['consentId'],
    });
  });

  it('once a card is on its way nothing changes: what was agreed when it was sent counts', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await yes(checkoutToken);
    const held = gate();
    t.bank.interrupt('authorize', 'before', held.interruption);
    const paid = t.pay(checkoutToken);
    await held.arrived;
    await no(checkoutToken);
    held.open();
    await paid;
    t.bank.interrupt('authorize', 'before', undefined);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', consent: 'GIVEN' });
    expect((await openCheckout(t.deps, checkoutToken))?.saving?.canAnswer).toBe(false);
  });

  it('is not asked for where the shop asked, nor for an ordinary payment', async () => {
    const { partner, point, store } = await t.givenPartner();
    await t.rows('update stores set merchant_consent = true where store_id = $1', [store]);
    const recurringConsent = {
      period: 'P1Y',
      capture: 'MERCHANT',
      reference: 'r',
      version: 'v',
      acceptedAt: '2026-01-01T00:00:00Z',
      evidenceHash: 'b'.repeat(64),
    };
    const body = { ...SAVING, recurringConsent, paymentPointID: point };
    const { id } = (await t.create(body, { partner })).body;
    const checkoutToken = String((await t.payment(id))['form_token']);
    await no(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ consent: 'GIVEN' });
    await t.pay(checkoutToken);
    expect((await t.messages(id)).map(({ type }) => type)).toEqual(['consent.given', 'payment.completed']);
    expect((await t.read(id, { partner })).body['bindingId']).toMatch(UUID);

    const ordinary = await t.givenPayment();
    await yes(ordinary.checkoutToken);
    expect(await t.payment(ordinary.id)).toMatchObject({ consent: null, binding_id: null });
  });
});

describe('around the answer', () => {
  it('no answer of the bank to the registration: CREATED and "preparing", and the worker finishes it', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    t.bank.interrupt('register', 'before', silence);
    await yes(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'CREATED', consent: 'GIVEN' });
    t.bank.interrupt('register', 'before', undefined);
    await t.moveClock('20 seconds');
    await t.work();
    expect((await t.payment(id))['status']).toBe('SUBMITTED');
  });

  it('the buyer cancels instead of answering: CANCELLED, and no answer counts afterwards', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await cancelByBuyer(t.deps, checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'CANCELLED', failure_code: 'CANCELLED_BY_CUSTOMER' });
    await yes(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'CANCELLED', consent: 'AWAITED' });
    expect(await typesOf(id)).toEqual(['payment.failed']);
  });

  it('takes no card before the answer', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    expect((await t.payment(id))['status']).toBe('CREATED');
  });

  it('an answer after the end of the session changes nothing', async () => {
    const { id, checkoutToken } = await t.givenPayment(SAVING);
    await t.moveClock('61 minutes');
    await yes(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'CREATED', consent: 'AWAITED' });
  });
});

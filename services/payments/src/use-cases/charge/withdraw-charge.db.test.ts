import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PaymentFailed } from '@pay/contract/messages.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { silence } from '../../../test/bank.ts';
import { startTestTBank } from '../../../test/t-bank.ts';
import { createTBankAcquirer } from '../../acquirers/t-bank/t-bank-acquirer.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.bindings.isBroken = false;
  t.bindings.hold = undefined;
  for (const when of ['before', 'after'] as const) t.bank.interrupt('charge', when, undefined);
});

/** A charge of a fresh saved card, and what bindings may say about it. */
async function given(change: { readonly merchantOrderId?: string } = {}) {
  const { bindingId } = await t.givenSavedCard();
  const body = {
    paymentId: randomUUID(),
    bindingId,
    merchantOrderId: `order-${randomUUID()}`,
    amountKopecks: '10000',
    description: 'A month of coffee',
    createdAt: '2026-11-21T09:59:59.987Z',
    ...change,
  };
  const post = (path: string, also: object = {}) => t.call('POST', path, { key: null, body: { ...body, ...also } });
  return {
    ...body,
    send: () => post('/internal/charges'),
    withdraw: (failureCode = 'CONSENT_REVOKED') => post('/internal/charges/withdrawn', { failureCode }),
    /** Bindings has committed the revoke. */
    revoked: () => {
      const binding = t.bindings.known.get(bindingId);
      if (binding !== undefined) binding.status = 'REVOKED';
    },
    /** Bindings tells it, and is answered. */
    tell: () => t.call('POST', `/internal/saved-cards/${bindingId}/revoke`, { key: null }),
    chargesAtBank: () => t.bank.calls.filter((call) => call.call === 'charge' && call.operationId === body.paymentId),
  };
}

/** The worker, when the next attempt is due. */
async function later(): Promise<void> {
  await t.moveClock('20 seconds');
  await t.work();
}

describe('POST /internal/charges/withdrawn', () => {
  it.each(['CONSENT_REVOKED', 'PROCESSING_ERROR'])(
    'a charge that was never handed over ends FAILED with %s, and is told; its late hand-over takes nothing (S6)',
    async (failureCode) => {
      const { paymentId, bindingId, merchantOrderId, withdraw, send, chargesAtBank } = await given();
      const answers = [await withdraw(failureCode), await withdraw(failureCode), await send()];
      expect(answers.map(({ status, body }) => [status, body['status']])).toEqual(answers.map(() => [200, 'FAILED']));
      const told = await t.messages(paymentId);
      expect(told.map(({ payload }) => PaymentFailed.parse(payload))).toMatchObject([
        { paymentId, bindingId, merchantOrderId, status: 'FAILED', failureCode, aggregateVersion: 1 },
      ]);
      await later();
      expect(chargesAtBank()).toEqual([]);
      expect((await t.read(paymentId)).body).toMatchObject({ status: 'FAILED', failureCode });
    },
  );

  it('a revoke that is answered while the charge waits to be stored is seen: nothing goes to the bank (S6)', async () => {
    const { bindingId, merchantOrderId, send, tell, chargesAtBank } = await given();
    const other = new pg.Client({ connectionString: t.databaseUrl });
    await other.connect();
    try {
      // Takes the order number, and gives it back.
      await other.query('begin');
      const taken = await other.query(
        `insert into payments select (jsonb_populate_record(known, jsonb_build_object('payment_id', gen_random_uuid(),
           'form_token', gen_random_uuid(), 'merchant_order_id', $1::text))).*
         from payments known join saved_cards using (payment_id) where saved_cards.binding_id = $2`,
        [merchantOrderId, bindingId],
      );
      expect(taken.rowCount).toBe(1);
      const sent = send();
      await t.untilBlocked();
      expect((await tell()).status).toBe(200);
      await other.query('rollback');
      expect((await sent).body).toMatchObject({ status: 'FAILED' });
    } finally {
      await other.end();
    }
    expect(chargesAtBank()).toEqual([]);
  });

  it('twenty hand-overs and withdrawals at once: charged once, or ended (S6)', async () => {
    for (let pair = 0; pair < 10; pair += 1) {
      const { paymentId, withdraw, send, chargesAtBank } = await given();
      const answers = await Promise.all([send(), withdraw('PROCESSING_ERROR'), send(), withdraw('PROCESSING_ERROR')]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const { status } = await t.payment(paymentId);
      expect([status, chargesAtBank().length]).toEqual(status === 'FAILED' ? ['FAILED', 0] : ['COMPLETED', 1]);
      expect(await t.messages(paymentId)).toHaveLength(1);
    }
  });

  it('a charge that is here already is answered as it is', async () => {
    const { withdraw, send } = await given();
    expect((await send()).body).toMatchObject({ status: 'COMPLETED' });
    expect((await withdraw()).body).toMatchObject({ status: 'COMPLETED' });
  });

  it('404 without such a card, 400 for another reason', async () => {
    const { bindingId, withdraw } = await given();
    expect((await withdraw('X')).status).toBe(400);
    await t.rows('delete from saved_cards where binding_id = $1', [bindingId]);
    expect((await withdraw()).status).toBe(404);
  });

  it('a number that another payment has taken: FAILED, told, shown and repeated under its own number (V4)', async () => {
    const { orderID: merchantOrderId } = await t.givenPayment();
    const { paymentId, withdraw, send, chargesAtBank } = await given({ merchantOrderId });
    const answers = [await withdraw('PROCESSING_ERROR'), await withdraw('PROCESSING_ERROR'), await send()];
    expect(answers.map(({ status, body }) => [status, body['status']])).toEqual(answers.map(() => [200, 'FAILED']));
    expect((await t.messages(paymentId)).map(({ payload }) => payload['merchantOrderId'])).toEqual([merchantOrderId]);
    expect((await t.read(paymentId)).body).toMatchObject({ orderID: merchantOrderId, status: 'FAILED' });
    // None or one has the number, as before.
    const { items } = (await t.call('GET', `/api/card?orderID=${merchantOrderId}`)).body;
    expect(items).toMatchObject([{ orderID: merchantOrderId, status: 'SUBMITTED' }]);
    expect(chargesAtBank()).toEqual([]);
  });
});

describe('before a charge goes to the bank (S6)', () => {
  it('revoked while the worker had yet to send it: FAILED with CONSENT_REVOKED, the bank hears nothing (S6)', async () => {
    const { paymentId, send, revoked, chargesAtBank } = await given();
    t.bank.interrupt('charge', 'before', silence);
    expect((await send()).body).toMatchObject({ status: 'CREATED' });
    t.bank.interrupt('charge', 'before', undefined);
    const before = chargesAtBank().length;
    revoked();
    await later();
    expect(await t.payment(paymentId)).toMatchObject({ status: 'FAILED', failure_code: 'CONSENT_REVOKED' });
    expect(chargesAtBank()).toHaveLength(before);
    expect(await t.messages(paymentId)).toHaveLength(1);
  });

  it('the bank took it before the revoke and its answer was lost: COMPLETED (S6)', async () => {
    const { paymentId, send, revoked, tell } = await given();
    t.bank.interrupt('charge', 'after', silence);
    expect((await send()).body).toMatchObject({ status: 'CREATED' });
    t.bank.interrupt('charge', 'after', undefined);
    revoked();
    await tell();
    await later();
    expect(await t.payment(paymentId)).toMatchObject({ status: 'COMPLETED' });
  });

  it('the hand-over of a frozen process arrives after a revoke that this service was not told of: not sent (S6)', async () => {
    const { paymentId, send, revoked, chargesAtBank } = await given();
    revoked();
    expect((await send()).body).toMatchObject({ status: 'FAILED' });
    expect(await t.payment(paymentId)).toMatchObject({ failure_code: 'CONSENT_REVOKED' });
    expect(chargesAtBank()).toEqual([]);
  });

  it('bindings says ACTIVE and is slow, meanwhile the revoke is told: not sent (S6)', async () => {
    const { send, tell, chargesAtBank } = await given();
    const [asked, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    t.bindings.hold = async () => {
      asked.resolve(undefined);
      await released.promise;
    };
    const sending = send();
    await asked.promise;
    expect((await tell()).status).toBe(200);
    released.resolve(undefined);
    expect((await sending).body).toMatchObject({ status: 'FAILED' });
    expect(chargesAtBank()).toEqual([]);
  });

  it('while bindings does not answer nothing is sent; then it goes on (S6)', async () => {
    const { paymentId, send, chargesAtBank } = await given();
    t.bindings.isBroken = true;
    expect((await send()).body).toMatchObject({ status: 'CREATED' });
    expect(chargesAtBank()).toEqual([]);
    t.bindings.isBroken = false;
    await later();
    expect(await t.payment(paymentId)).toMatchObject({ status: 'COMPLETED' });
  });

  it('a bank that takes two calls for a charge: revoked between them, the second is not made (S6)', async () => {
    const bank = await startTestTBank();
    const { url, terminalKey, password, cardKey } = bank;
    const account = { url, terminalKey, password, cardKey, notificationUrl: 'https://pay.example/n' };
    const acquirer = createTBankAcquirer({ ...account, routeId: randomUUID(), log: t.deps.log });
    const { paymentId, bindingId, send, revoked, tell } = await given();
    expect(bindingId).toBeDefined();
    const { acquirerOf } = t.deps;
    Object.assign(t.deps, { acquirerOf: () => acquirer });
    const held = bank.hold('Init', 'after');
    const sending = send();
    await held.arrived;
    revoked();
    await tell();
    held.open();
    expect((await sending).body).toMatchObject({ status: 'CREATED' });
    await t.moveClock('1 minute');
    await t.work();
    expect(await t.payment(paymentId)).toMatchObject({ status: 'FAILED', failure_code: 'CONSENT_REVOKED' });
    expect(bank.calls.filter(({ method }) => method === 'Charge')).toEqual([]);
    Object.assign(t.deps, { acquirerOf });
    await acquirer.close();
    await bank.close();
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentCompleted, PaymentFailed } from '@pay/contract/messages.ts';
import { CARD, DEFAULT_POINT, goodBody, startTestApp, type TestApp } from '../../../test/app.ts';
import { failure, gate, refusal, silence, type BankCall, type Interruption } from '../../../test/bank.ts';
import { readTrialBalance } from '../../db/ledger/ledger.ts';
import { NO_CARD } from '../../domain/acquiring/acquirer-result.ts';
import { cancelByBuyer } from './cancel-by-buyer.ts';
import { openCheckout } from './open-checkout.ts';
import { readBack } from '../payment/read-back.ts';
import { returnFromBank, watchBank } from './return-from-bank.ts';
import { recordOutcome } from '../payment/record-outcome.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.bank.verdict = {};
  for (const call of ['register', 'authorize', 'read', 'cancel'] as BankCall[]) {
    t.bank.interrupt(call, 'before', undefined);
    t.bank.interrupt(call, 'after', undefined);
  }
});

const statusOf = async (id: string) => (await t.payment(id))['status'];
const entriesOf = async (id: string) =>
  (
    await t.rows(
      `select account, owner, amount_kopecks from ledger_entries join ledger_transactions using (ledger_transaction_id)
       where reference_id = $1 order by position`,
      [id],
    )
  ).map((row) => [row['account'], row['owner'], row['amount_kopecks']]);

describe('a card that is approved', () => {
  it('COMPLETED: ledger, move and payment.completed together; the event carries what the contract wants', async () => {
    const { id, checkoutToken, orderID } = await t.givenPayment({ amount: 100.5 });
    expect(await t.pay(checkoutToken)).toBe('accepted');
    const row = await t.payment(id);
    expect(row).toMatchObject({
      status: 'COMPLETED',
      aggregate_version: 1,
      next_read_at: null,
      card_mask: '411111******1111',
      card_expiry: '2030-12',
    });
    expect(await entriesOf(id)).toEqual([
      ['ACQUIRER_CLEARING', 'sandbox-bank', '10050'],
      ['PARTNER_PAYABLE', 'partner-1', '-9799'],
      ['FEE_INCOME', DEFAULT_POINT, '-251'],
    ]);
    const [message, ...others] = await t.messages(id);
    expect(others).toEqual([]);
    expect(message?.type).toBe('payment.completed');
    expect(PaymentCompleted.strict().parse(message?.payload)).toMatchObject({
      partnerId: 'partner-1',
      paymentId: id,
      aggregateVersion: 1,
      merchantOrderId: orderID,
      amountKopecks: '10050',
      currency: 'RUB',
      paymentMethod: 'CARD',
      ledgerTransactionId: row['ledger_transaction_id'],
      bankOperationId: row['bank_operation_id'],
    });
  });

  it('the number, the expiry as typed and the CVV are in no table', async () => {
    const { checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken, { cvv: '739' });
    const tables = await t.rows(`select tablename from pg_tables where schemaname = current_schema()`);
    for (const { tablename } of tables) {
      const rows = await t.rows(`select row_to_json(x)::text as text from ${String(tablename)} x`);
      expect(rows.filter(({ text }) => /4111111111111111|"739"/.test(String(text)))).toEqual([]);
    }
  });
});

describe('a card that is declined', () => {
  it.each([
    ['INSUFFICIENT_FUNDS', 'REJECTED'],
    ['CARD_EXPIRED', 'REJECTED'],
    ['CARD_BLOCKED', 'REJECTED'],
    ['INVALID_CARD_DETAILS', 'REJECTED'],
    ['CARD_NOT_SUPPORTED', 'REJECTED'],
    ['LIMIT_EXCEEDED', 'REJECTED'],
    ['AUTHENTICATION_FAILED', 'REJECTED'],
    ['DECLINED_BY_ISSUER', 'REJECTED'],
    ['FRAUD_SUSPECTED', 'REJECTED'],
    ['ISSUER_UNAVAILABLE', 'FAILED'],
    ['PROCESSING_ERROR', 'FAILED'],
  ])('%s: %s, one payment.failed, nothing in the ledger', async (reason, status) => {
    t.bank.verdict = { status: 'DECLINED', reason };
    const { id, checkoutToken } = await t.givenPayment();
    expect(await t.pay(checkoutToken)).toBe('accepted');
    const [message] = await t.messages(id);
    expect(PaymentFailed.strict().parse(message?.payload)).toMatchObject({
      status,
      failureCode: reason,
      aggregateVersion: 1,
    });
    expect([await statusOf(id), await entriesOf(id)]).toEqual([status, []]);
    expect((await openCheckout(t.deps, checkoutToken))?.failureCode).toBe(reason);
  });

  it('a reason that we do not know is DECLINED_BY_ISSUER', async () => {
    t.bank.verdict = { status: 'DECLINED', reason: 'BANK_INTERNAL_77' };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    expect((await t.payment(id))['failure_code']).toBe('DECLINED_BY_ISSUER');
  });

  it('takes no second card: not-payable, and the bank is not called', async () => {
    t.bank.verdict = { status: 'DECLINED', reason: 'CARD_BLOCKED' };
    const { checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    const before = t.bank.calls.length;
    expect([await t.pay(checkoutToken), t.bank.calls.length]).toEqual(['not-payable', before]);
  });
});

describe('3-D Secure', () => {
  const acsUrl = 'https://bank.example/3ds/1';

  it('PENDING with the bank’s page; approved when the buyer is back', async () => {
    t.bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl };
    const { id, checkoutToken } = await t.givenPayment();
    expect(await t.pay(checkoutToken)).toBe('accepted');
    expect(await openCheckout(t.deps, checkoutToken)).toMatchObject({ status: 'PENDING', acsUrl });
    expect(await t.messages(id)).toEqual([]);
    t.bank.change(id, { status: 'APPROVED' });
    await t.rows(`update payments set last_read_at = last_read_at - interval '2 seconds' where payment_id = $1`, [id]);
    await returnFromBank(t.deps, checkoutToken);
    expect(await openCheckout(t.deps, checkoutToken)).toMatchObject({ status: 'COMPLETED' });
    expect(await openCheckout(t.deps, checkoutToken)).not.toHaveProperty('acsUrl');
  });

  it('REJECTED with AUTHENTICATION_FAILED when the buyer refused there', async () => {
    t.bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    t.bank.change(id, { status: 'DECLINED', reason: 'AUTHENTICATION_FAILED' });
    await readBack(t.deps, id);
    expect(await t.payment(id)).toMatchObject({ status: 'REJECTED', failure_code: 'AUTHENTICATION_FAILED' });
  });

  it('a page that is reloaded again and again asks the bank once a second at most', async () => {
    t.bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl };
    const { checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    const before = t.bank.callsOf('read');
    await watchBank(t.deps, checkoutToken);
    await watchBank(t.deps, checkoutToken);
    expect(t.bank.callsOf('read') - before).toBeLessThanOrEqual(1);
  });

  it('a buyer who is back at once is told what he did there, not what the bank said a moment before', async () => {
    t.bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    await readBack(t.deps, id);
    t.bank.change(id, { status: 'DECLINED', reason: 'AUTHENTICATION_FAILED' });
    await returnFromBank(t.deps, checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'REJECTED' });
  });

  it('the buyer cancels there: CANCELLED once the bank has withdrawn the order', async () => {
    t.bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    await cancelByBuyer(t.deps, checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'CANCELLED', failure_code: 'CANCELLED_BY_CUSTOMER' });
    expect(await t.messages(id)).toMatchObject([{ type: 'payment.failed', payload: { status: 'CANCELLED' } }]);
  });

  it('… and COMPLETED when the money was faster', async () => {
    t.bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    t.bank.change(id, { status: 'APPROVED' });
    await cancelByBuyer(t.deps, checkoutToken);
    expect(await statusOf(id)).toBe('COMPLETED');
  });
});

describe('the bank gives no answer (E22)', () => {
  it.each([
    ['closes the connection', silence],
    ['answers 500', failure(500)],
    ['answers what is no Operation', failure(200)],
    ['answers 409', refusal(409, 'OPERATION_STATE')],
  ])('%s, but took the money: PENDING, no event; read-back completes it', (_title, interruption) => expectReadBack(t, interruption));

  // Of its own: no other call of these tests has a deadline that a slow machine may miss.
  it('does not answer in time, but took the money: PENDING, no event; read-back completes it', async () => {
    const app = await startTestApp({ deadlineMs: 500 });
    try {
      await expectReadBack(app, gate().interruption);
    } finally {
      await app.close();
    }
  });

  async function expectReadBack(app: TestApp, interruption: Interruption): Promise<void> {
    app.bank.interrupt('authorize', 'after', interruption);
    const { id, checkoutToken } = await app.givenPayment();
    expect(await app.pay(checkoutToken)).toBe('accepted');
    const statusOf = async () => (await app.payment(id))['status'];
    expect([await statusOf(), await app.messages(id)]).toEqual(['PENDING', []]);
    await readBack(app.deps, id);
    expect([await statusOf(), (await app.messages(id)).length]).toEqual(['COMPLETED', 1]);
  }

  it('… and took nothing: read-back ends it', async () => {
    t.bank.verdict = { status: 'DECLINED', reason: 'ISSUER_UNAVAILABLE' };
    t.bank.interrupt('authorize', 'after', silence);
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    await readBack(t.deps, id);
    expect(await t.payment(id)).toMatchObject({ status: 'FAILED', failure_code: 'ISSUER_UNAVAILABLE' });
  });

  it.each([
    ['whose call ended without a clear answer', 'after five seconds', 'null', 5],
    ['of whose call nobody booked an end', 'after a minute', 'clock_now()', 60],
  ])('the card was lost on the way, %s: %s the order is withdrawn first, then FAILED', async (_whose, _when, lease, seconds) => {
    t.bank.interrupt('authorize', 'before', silence);
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    const readSentSince = async (since: number) => {
      await t.rows(
        `update payments set card_sent_at = clock_now() - $2 * interval '1 second', lease_until = ${lease} where payment_id = $1`,
        [id, since],
      );
      await readBack(t.deps, id);
      return statusOf(id);
    };
    expect(await readSentSince(seconds - 2)).toBe('PENDING');
    expect(await readSentSince(seconds)).toBe('FAILED');
    expect(await t.payment(id)).toMatchObject({ failure_code: 'PROCESSING_ERROR' });
    expect(t.bank.operations.get(id)?.status).toBe('CANCELLED');
  });
});

describe('nothing was sent', () => {
  it('connection refused: route-unavailable, nothing moved, the buyer may try again', async () => {
    const app = await startTestApp();
    try {
      const { id, checkoutToken } = await app.givenPayment();
      await app.bank.close();
      expect(await app.pay(checkoutToken)).toBe('route-unavailable');
      expect(await app.payment(id)).toMatchObject({ status: 'SUBMITTED', card_sent_at: null });
      expect(await openCheckout(app.deps, checkoutToken)).toMatchObject({ status: 'SUBMITTED' });
    } finally {
      await app.close();
    }
  });
});

describe('two at once', () => {
  it('a double click: one card goes to the bank; the other is told that the payment takes none', async () => {
    const held = gate();
    t.bank.interrupt('authorize', 'before', held.interruption);
    const { id, checkoutToken } = await t.givenPayment();
    const first = t.pay(checkoutToken);
    await held.arrived;
    expect(await openCheckout(t.deps, checkoutToken)).toMatchObject({ status: 'PENDING' });
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    held.open();
    expect(await first).toBe('accepted');
    expect(t.bank.calls.filter(({ call, operationId }) => call === 'authorize' && operationId === id)).toHaveLength(1);
  });

  it('a click that waits for the row of another: the loser sees the winner’s card', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    const waiting: Promise<string>[] = [];
    await t.deps.db.transaction(async (tx) => {
      const { changePayment, lockPayment } = await import('../../db/payment/payments.ts');
      await lockPayment(tx, id);
      waiting.push(t.pay(checkoutToken));
      await t.untilBlocked();
      await changePayment(tx, id, { cardSentAt: new Date('2026-11-21T00:00:00Z') });
    });
    expect(await Promise.all(waiting)).toEqual(['not-payable']);
    expect(t.bank.calls.some(({ call, operationId }) => call === 'authorize' && operationId === id)).toBe(false);
  });

  it('whoever waited for a payment’s row has a now that is not before what the other did with it', async () => {
    const { id } = await t.givenPayment();
    const { changePayment, lockPayment, lockPaymentAt } = await import('../../db/payment/payments.ts');
    const waiting: ReturnType<typeof lockPaymentAt>[] = [];
    await t.deps.db.transaction(async (tx) => {
      await lockPayment(tx, id);
      waiting.push(t.deps.db.transaction((other) => lockPaymentAt(other, id)));
      await t.untilBlocked();
      await changePayment(tx, id, { readCount: 7 });
    });
    const [seen] = await Promise.all(waiting);
    expect(seen?.payment.readCount).toBe(7);
    expect(seen?.now.getTime()).toBeGreaterThanOrEqual(seen?.payment.updatedAt.getTime() ?? Infinity);
  });

  it('a hundred equal results, ten at once: one COMPLETED, one event, one booking (E16)', async () => {
    const { id } = await t.givenPayment({ amount: 1 });
    const confirmed = {
      kind: 'confirmed',
      bankOperationId: 'b',
      amountKopecks: 100n,
      currency: 'RUB',
      card: NO_CARD,
    } as const;
    // As many at once as the pool has connections: more would wait for one, and that has its own limit.
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => recordOutcome(t.deps, { paymentId: id, operationId: null }, confirmed)));
    }
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', aggregate_version: 1 });
    expect([(await t.messages(id)).length, (await entriesOf(id)).length]).toEqual([1, 3]);
  });

  it('success and failure at once: one of them, version 1, one event (E24)', async () => {
    const { id } = await t.givenPayment({ amount: 1 });
    const confirmed = {
      kind: 'confirmed',
      bankOperationId: 'b',
      amountKopecks: 100n,
      currency: 'RUB',
      card: NO_CARD,
    } as const;
    const declined = { kind: 'declined', bankOperationId: 'b', failureCode: 'CARD_BLOCKED', card: NO_CARD } as const;
    await Promise.all(
      [confirmed, declined, confirmed, declined].map((result) => recordOutcome(t.deps, { paymentId: id, operationId: null }, result)),
    );
    expect((await t.payment(id))['aggregate_version']).toBe(1);
    expect((await t.messages(id)).map(({ payload }) => payload['aggregateVersion'])).toEqual([1]);
  });
});

describe('a result that must not count', () => {
  it('a failure after success changes nothing and tells nobody (E17)', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    await recordOutcome(
      t.deps,
      { paymentId: id, operationId: null },
      {
        kind: 'declined',
        bankOperationId: 'b',
        failureCode: 'CARD_BLOCKED',
        card: NO_CARD,
      },
    );
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', failure_code: null, aggregate_version: 1 });
    expect(await t.messages(id)).toHaveLength(1);
  });

  it.each([
    ['another amount', { amountKopecks: '10051' }],
    ['another currency', { currency: 'USD' }],
  ])('%s: PENDING, not booked, no event, one exception for a person (E21)', async (_title, change) => {
    t.bank.verdict = change;
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    await readBack(t.deps, id);
    expect([await statusOf(id), await t.messages(id), await entriesOf(id)]).toEqual(['PENDING', [], []]);
    const raised = await t.rows('select kind, status from exceptions where payment_id = $1', [id]);
    expect(raised).toEqual([{ kind: 'AMOUNT_MISMATCH', status: 'OPEN' }]);
  });
});

describe('the process dies in between (E07 E08)', () => {
  it('after the bank call, before its result is committed: read-back completes it', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    const row = await t.payment(id);
    // What is left behind: the intent, committed before the call, and the bank’s state.
    await t.rows(`update payments set card_sent_at = clock_now(), next_read_at = clock_now() where payment_id = $1`, [id]);
    t.bank.change(id, { status: 'APPROVED' });
    expect((await openCheckout(t.deps, String(row['form_token'])))?.status).toBe('PENDING');
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    await t.work();
    expect(await statusOf(id)).toBe('COMPLETED');
  });

  it('inside the settling transaction: nothing of it is there; the next attempt books once', async () => {
    const { id } = await t.givenPayment({ amount: 1 });
    const confirmed = {
      kind: 'confirmed',
      bankOperationId: 'b',
      amountKopecks: 100n,
      currency: 'RUB',
      card: NO_CARD,
    } as const;
    await t.rows(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'gone'; end $$`);
    await t.rows(`create trigger refuse before insert on outbox for each row execute function refuse()`);
    await expect(recordOutcome(t.deps, { paymentId: id, operationId: null }, confirmed)).rejects.toThrow();
    await t.rows('drop trigger refuse on outbox');
    expect([await statusOf(id), await entriesOf(id)]).toEqual(['SUBMITTED', []]);
    await recordOutcome(t.deps, { paymentId: id, operationId: null }, confirmed);
    expect([await statusOf(id), (await entriesOf(id)).length, (await t.messages(id)).length]).toEqual(['COMPLETED', 3, 1]);
  });
});

describe('the buyer cancels', () => {
  it('before a card was sent: CANCELLED at once, the order is withdrawn at the bank', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await cancelByBuyer(t.deps, checkoutToken);
    expect(await t.payment(id)).toMatchObject({
      status: 'CANCELLED',
      failure_code: 'CANCELLED_BY_CUSTOMER',
      aggregate_version: 1,
    });
    expect(t.bank.operations.get(id)?.status).toBe('CANCELLED');
    expect((await t.messages(id)).map(({ type }) => type)).toEqual(['payment.failed']);
    expect(await t.pay(checkoutToken)).toBe('not-payable');
  });

  it('while a card is on its way, or after the end: nothing happens', async () => {
    const held = gate();
    t.bank.interrupt('authorize', 'before', held.interruption);
    const { id, checkoutToken } = await t.givenPayment();
    const paying = t.pay(checkoutToken);
    await held.arrived;
    await cancelByBuyer(t.deps, checkoutToken);
    held.open();
    await paying;
    await cancelByBuyer(t.deps, checkoutToken);
    expect(await statusOf(id)).toBe('COMPLETED');
  });

  it('an unknown form token does nothing, for every use case of the form', async () => {
    await cancelByBuyer(t.deps, 'nothing');
    await returnFromBank(t.deps, 'nothing');
    expect(await openCheckout(t.deps, 'nothing')).toBeUndefined();
  });
});

it('the form shows shop, order, amount and where to go back to', async () => {
  const { id, checkoutToken, orderID } = await t.givenPayment({ amount: 7, description: 'Tea' });
  expect(await openCheckout(t.deps, checkoutToken)).toMatchObject({
    paymentId: id,
    checkoutToken,
    storeName: 'Coffee & Books',
    merchantOrderId: orderID,
    description: 'Tea',
    amountKopecks: 700n,
    status: 'SUBMITTED',
    environment: 'TEST',
  });
  expect(await openCheckout(t.deps, checkoutToken)).not.toHaveProperty('returnUrl');
  expect(CARD.number).toHaveLength(16);
});

it('a buyer goes back to the saved returnUrl, also with SBP, unless the payment has its own', async () => {
  const { partner, point } = await t.givenPartner({ paymentMethods: ['CARD', 'SBP_DYNAMIC_QR'] });
  const addresses = { callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/return?from=pay' };
  expect((await t.call('PUT', '/api/integration/endpoints', { partner, body: addresses })).status).toBe(200);
  const shown = async (path: string, change: object) => {
    const body = { ...(path === '/api/card' ? goodBody() : { amount: 7 }), paymentPointID: point, ...change };
    const { id } = (await t.call('POST', path, { partner, body })).body;
    return (await openCheckout(t.deps, String((await t.payment(id))['form_token'])))?.returnUrl;
  };
  expect(await shown('/api/card', {})).toBe(addresses.returnUrl);
  expect(await shown('/api/qr', {})).toBe(addresses.returnUrl);
  expect(await shown('/api/card', { returnUrl: 'https://shop.example/own' })).toBe('https://shop.example/own');
});

it('after all of it the ledger sums to zero', async () => {
  const balances = await readTrialBalance(t.deps.db);
  expect(balances.length).toBeGreaterThan(0);
  expect(balances.reduce((sum, { balanceKopecks }) => sum + balanceKopecks, 0n)).toBe(0n);
});

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { columnsWith } from '../../../../../tools/testing/columns-with.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { startTBankApp, type TBankApp } from '../../../test/t-bank-app.ts';
import { eraseBuyer } from '../../use-cases/operator/erase-buyer.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../operator/app.ts';

/** A receipt of this many rubles, in one item. */
const receiptOf = (amount: string, change: Json = {}): Json => ({
  taxation: 'OSN',
  email: 'ada.lovelace@shop.example',
  phone: '+79031234567',
  items: [
    {
      name: 'Poems of Byron',
      price: amount,
      quantity: '1',
      amount,
      vat: 'VAT22',
      paymentMethod: 'FULL_PAYMENT',
      paymentObject: 'COMMODITY',
    },
  ],
  ...change,
});
const sentOf = (kopecks: number): Json => ({
  FfdVersion: '1.05',
  Taxation: 'osn',
  Email: 'ada.lovelace@shop.example',
  Phone: '+79031234567',
  Items: [
    {
      Name: 'Poems of Byron',
      Price: kopecks,
      Quantity: 1,
      Amount: kopecks,
      Tax: 'vat22',
      PaymentMethod: 'full_payment',
      PaymentObject: 'commodity',
    },
  ],
});
const refusal = ({ status, body }: { status: number; body: Json }) => [status, body['code'], body['details']];
const refused = (field: string, message: string) => [400, 'VALIDATION_FAILED', [{ field, message: expect.stringContaining(message) }]];

describe('at a bank that makes receipts', () => {
  let t: TBankApp;
  let operators: Listener;
  const people = testConsoleKey();
  beforeAll(async () => {
    t = await startTBankApp();
    operators = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
  });
  afterAll(async () => {
    await operators.drain(0);
    await t.close();
  });
  afterEach(() => {
    t.tBank.interruptNothing();
  });

  const receiptsOf = (method: string, id: unknown) => {
    const ids = t.tBank.of(String(id)).map(({ PaymentId }) => PaymentId);
    return t.tBank.calls
      .filter(({ method: called, body }) => called === method && (body['OrderId'] === id || ids.includes(String(body['PaymentId']))))
      .map(({ body }) => body['Receipt']);
  };
  const paidWith = async (receipt: Json | undefined, change: Json = {}) => {
    const { id, checkoutToken } = await t.givenPayment({ ...(receipt === undefined ? {} : { receipt }), ...change });
    await t.pay(checkoutToken);
    return id;
  };
  const refund = (id: unknown, body: Json, kind = 'card') => t.call('POST', `/api/${kind}/${String(id)}/refunds`, { body });
  const refundsOf = (id: unknown) => t.rows('select 1 from refunds where payment_id = $1', [id]);

  it('a card payment: kept as written, handed to the bank, told to nobody else', async () => {
    const created = await t.create({ receipt: receiptOf('100.50') });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(receiptsOf('Init', id)).toEqual([sentOf(10_050)]);
    expect((await t.payment(id))['receipt']).toEqual(receiptOf('100.50'));
    expect(created.text + (await t.read(id)).text).not.toContain('lovelace');
  });

  it('a card payment without one: nothing is kept, nothing handed on', async () => {
    const { id } = await t.givenPayment();
    expect(receiptsOf('Init', id)).toEqual([undefined]);
    expect((await t.payment(id))['receipt']).toBeNull();
  });

  it('a QR payment: the same', async () => {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const body = { amount: 500, paymentPointID: point, receipt: receiptOf('500.00') };
    const created = await t.call('POST', '/api/qr', { partner, body });
    expect(created.status).toBe(201);
    expect(receiptsOf('Init', created.body['id'])).toEqual([sentOf(50_000)]);
    expect(created.text).not.toContain('lovelace');
    const wrong = { ...body, receipt: receiptOf('500.01') };
    expect(refusal(await t.call('POST', '/api/qr', { partner, body: wrong }))).toEqual(refused('receipt.items', 'sum to the amount'));
  });

  it('a charge of a saved card: the same; a repeat of it with another receipt is another charge', async () => {
    const { bindingId } = await t.givenSavedCard();
    const charge = { paymentId: randomUUID(), merchantOrderId: randomUUID(), receipt: receiptOf('100.00') };
    expect((await t.charge(bindingId, charge)).body).toMatchObject({ status: 'COMPLETED' });
    expect(receiptsOf('Init', charge.paymentId)).toEqual([sentOf(10_000)]);
    expect((await t.charge(bindingId, charge)).body).toMatchObject({ status: 'COMPLETED' });
    for (const receipt of [undefined, receiptOf('100.00', { taxation: 'PATENT' })])
      expect((await t.charge(bindingId, { ...charge, receipt })).body).toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
  });

  it('400 before anything is stored: items that do not sum to the amount, and a field of the receipt', async () => {
    const orderID = randomUUID();
    const off = await t.create({ orderID, receipt: receiptOf('100.49') });
    expect(refusal(off)).toEqual(refused('receipt.items', 'sum to the amount, to the kopeck'));
    const tax = await t.create({ orderID, receipt: receiptOf('100.50', { taxation: 'ENVD' }) });
    expect(refusal(tax)).toEqual(refused('receipt.taxation', 'must be one of'));
    expect(await t.rows('select 1 from payments where merchant_order_id = $1', [orderID])).toEqual([]);
  });

  it('a key is bound to the receipt too: another one with it is 409, without one as well', async () => {
    const key = randomUUID();
    const change = { orderID: randomUUID(), receipt: receiptOf('100.50') };
    expect((await t.create(change, { key })).status).toBe(201);
    expect((await t.create(change, { key })).headers.get('idempotency-replayed')).toBe('true');
    for (const receipt of [undefined, receiptOf('100.50', { phone: '+79031234568' })])
      expect((await t.create({ ...change, receipt }, { key })).body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  describe('refunds', () => {
    it('the whole of a payment with a receipt needs none: the bank gives back what it has', async () => {
      const id = await paidWith(receiptOf('100.50'));
      expect((await refund(id, {})).body).toMatchObject({ status: 'COMPLETED', amount: '100.50' });
      const other = await paidWith(receiptOf('100.50'));
      const told = { amount: '100.50', receipt: receiptOf('100.50') };
      expect((await refund(other, told)).body).toMatchObject({ status: 'COMPLETED' });
      expect([receiptsOf('Cancel', id), receiptsOf('Cancel', other)]).toEqual([[undefined], [undefined]]);
    });

    it('a part of one needs its own: 400 without, and nothing is stored; with it the bank is told what comes back', async () => {
      const id = await paidWith(receiptOf('100.50'));
      expect(refusal(await refund(id, { amount: '0.50' }))).toEqual(refused('receipt', 'is required'));
      expect(await refundsOf(id)).toEqual([]);
      const part = { amount: '0.50', receipt: receiptOf('0.50') };
      expect((await refund(id, part)).body).toMatchObject({ status: 'COMPLETED', amount: '0.50' });
      expect(receiptsOf('Cancel', id)).toEqual([sentOf(50)]);
    });

    it('so does the rest after a part', async () => {
      const id = await paidWith(receiptOf('100.50'));
      await refund(id, { amount: '0.50', receipt: receiptOf('0.50') });
      expect(refusal(await refund(id, {}))).toEqual(refused('receipt', 'is required'));
      expect(refusal(await refund(id, { receipt: receiptOf('100.50') }))).toEqual(refused('receipt.items', 'sum to the amount'));
      expect((await refund(id, { receipt: receiptOf('100.00') })).body).toMatchObject({ status: 'COMPLETED', amount: '100.00' });
      expect((await refund(id, {})).body).toMatchObject({ code: 'REFUND_NOT_ALLOWED' });
    });

    it('400 for items that do not sum to the refund', async () => {
      const id = await paidWith(receiptOf('100.50'));
      expect(refusal(await refund(id, { amount: '0.50', receipt: receiptOf('0.51') }))).toEqual(
        refused('receipt.items', 'sum to the amount'),
      );
      expect(await refundsOf(id)).toEqual([]);
    });

    it('of a payment without a receipt a part needs none, and may have one', async () => {
      const id = await paidWith(undefined);
      expect((await refund(id, { amount: '0.50' })).status).toBe(201);
      expect((await refund(id, { amount: '1.00', receipt: receiptOf('1.00') })).status).toBe(201);
      expect(receiptsOf('Cancel', id)).toEqual([undefined, sentOf(100)]);
    });

    it('a refund without an answer is sent again with the same receipt', async () => {
      const id = await paidWith(receiptOf('100.50'));
      t.tBank.interrupt('Cancel', 'before', ({ res }) => {
        res.destroy();
      });
      const asked = await refund(id, { amount: '0.50', receipt: receiptOf('0.50') });
      expect(asked.body).toMatchObject({ status: 'PENDING' });
      t.tBank.interruptNothing();
      await t.moveClock('1 minute');
      await t.work();
      expect((await t.call('GET', String(asked.body['statusUrl']))).body).toMatchObject({ status: 'COMPLETED' });
      expect(receiptsOf('Cancel', id)).toEqual([sentOf(50), sentOf(50)]);
    });

    it('one of our people gives the whole back, and is told that a part is for the shop', async () => {
      const id = await paidWith(receiptOf('10.00'), { amount: 10 });
      const give = async (amount: object) => {
        const body = { seenVersion: 1, key: randomUUID(), reason: 'Broken cup', ...amount };
        const url = `http://127.0.0.1:${String(operators.port)}/payments/${id}/refunds`;
        const answer = await people.fetchAs(OPERATOR_AUDIENCE, 'anna', url, { method: 'POST', body });
        return { status: answer.status, body: (await answer.json()) as Json };
      };
      expect(refusal(await give({ amount: '1.00' }))).toEqual(refused('receipt', 'is required'));
      expect(await refundsOf(id)).toEqual([]);
      expect((await give({})).status).toBe(201);
    });
  });

  it('operators see that there is a receipt and a masked address, nothing else of it', async () => {
    const id = await paidWith(receiptOf('100.50'));
    const answer = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', `http://127.0.0.1:${String(operators.port)}/payments/${id}`);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ receipt: { taxation: 'OSN', items: 1, contacts: ['a***@shop.example', '+7***4567'] } });
    expect(text).not.toMatch(/lovelace|9031234567|Byron/);
  });

  it('a buyer is erased: of receipts the address and what was sold go, of QR payments too; amounts and tax codes stay', async () => {
    const customerID = `buyer-${randomUUID()}`;
    const id = await paidWith(receiptOf('100.50'), { customerID });
    await refund(id, { amount: '0.50', receipt: receiptOf('0.50') });
    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const body = { amount: 500, paymentPointID: point, description: 'For Ada', receipt: receiptOf('500.00') };
    const qr = String((await t.call('POST', '/api/qr', { partner, body })).body['id']);
    await expect(eraseBuyer(t.deps, 'anna', qr)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    t.tBank.payQr(qr);
    await t.readBack(qr);
    await t.rows('delete from outbox');
    expect(await eraseBuyer(t.deps, 'anna', id)).toEqual({ payments: 1, savedCards: 0 });
    expect(await eraseBuyer(t.deps, 'anna', qr)).toEqual({ payments: 1, savedCards: 0 });
    const traced = await t.rows(
      `select coalesce(receipt::text, '') || description as text from payments where payment_id = any($1)
       union all select receipt::text from refunds where payment_id = $2`,
      [[id, qr], id],
    );
    expect(traced).toHaveLength(3);
    expect(JSON.stringify(traced)).not.toMatch(/lovelace|903123|Byron|Ada/);
    const [{ name: _erased, ...sold } = {}] = receiptOf('100.50')['items'] as Json[];
    expect((await t.payment(id))['receipt']).toEqual({ taxation: 'OSN', items: [{ ...sold, name: 'erased' }] });
    // What another buyer sent stays, and a part still needs its receipt.
    expect(refusal(await refund(id, { amount: '0.50' }))).toEqual(refused('receipt', 'is required'));
  });

  it('of a payment without a receipt an erasure makes none', async () => {
    const id = await paidWith(undefined, { customerID: `buyer-${randomUUID()}` });
    await t.rows('delete from outbox');
    await eraseBuyer(t.deps, 'anna', id);
    expect((await t.payment(id))['receipt']).toBeNull();
  });

  it('the outbox never has it', async () => {
    const id = await paidWith(receiptOf('100.50', { email: 'only.once@shop.example' }));
    await refund(id, { amount: '0.50', receipt: receiptOf('0.50', { email: 'only.once@shop.example' }) });
    const found = await columnsWith((text, values) => t.rows(text, values), ['only.once@shop.example']);
    expect(found).toEqual({ 'only.once@shop.example': ['payments.payments.receipt', 'payments.refunds.receipt'] });
  });
});

describe('at a bank that makes none', () => {
  let t: TestApp;
  let tBank: TBankApp;
  beforeAll(async () => {
    t = await startTestApp();
    tBank = await startTBankApp();
  });
  afterAll(async () => {
    await tBank.close();
    await t.close();
  });
  const NOT_TAKEN = refused('receipt', 'is not taken by the acquirer of this payment point');

  it('400 for a card payment, a QR payment, a charge and a refund; nothing is stored, and the key stays free', async () => {
    const [orderID, key] = [randomUUID(), randomUUID()];
    expect(refusal(await t.create({ orderID, receipt: receiptOf('100.50') }, { key }))).toEqual(NOT_TAKEN);
    expect((await t.create({ orderID }, { key })).status).toBe(201);

    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const body = { amount: 500, paymentPointID: point, receipt: receiptOf('500.00') };
    expect(refusal(await t.call('POST', '/api/qr', { partner, body }))).toEqual(NOT_TAKEN);
    expect(await t.rows('select 1 from payments where partner_id = $1', [partner])).toEqual([]);

    const { id, bindingId } = await t.givenSavedCard();
    const charge = { paymentId: randomUUID(), merchantOrderId: randomUUID(), receipt: receiptOf('100.00') };
    expect(refusal(await t.charge(bindingId, charge))).toEqual(NOT_TAKEN);
    const checked = { bindingId, merchantOrderId: randomUUID(), amountKopecks: '10000', receipt: charge.receipt };
    expect(refusal(await t.call('POST', '/internal/charges/checked', { key: null, body: checked }))).toEqual(NOT_TAKEN);
    expect(await t.rows('select 1 from payments where payment_id = $1', [charge.paymentId])).toEqual([]);

    const part = { amount: '0.50', receipt: receiptOf('0.50') };
    expect(refusal(await t.call('POST', `/api/card/${id}/refunds`, { body: part }))).toEqual(NOT_TAKEN);
    expect(await t.rows('select 1 from refunds where payment_id = $1', [id])).toEqual([]);
  });

  it('of several routes the one that makes receipts gets the payment; none is moved where none is made', async () => {
    const { partner, point } = await tBank.givenPartner();
    const { acquirerOf } = tBank.deps;
    const makes = acquirerOf({ routeId: 'any', connector: 'any' });
    const none = t.deps.acquirerOf({ routeId: 'any', connector: 'sandbox-bank' });
    await tBank.rows(`insert into routes (route_id, connector) values ('makes', 't-bank')`);
    await tBank.rows(
      `insert into point_routes (payment_point_id, method, route_id, priority) values ($1, 'CARD', 'sandbox-bank', 1), ($1, 'CARD', 'makes', 2)`,
      [point],
    );
    Object.assign(tBank.deps, { acquirerOf: ({ routeId }: { routeId: string }) => (routeId === 'makes' ? makes : none) });
    const with1 = await tBank.create({ paymentPointID: point, receipt: receiptOf('100.50') }, { partner });
    const without = await tBank.create({ paymentPointID: point }, { partner });
    const routes = [with1, without].map(({ body }) => tBank.payment(body['id']));
    expect((await Promise.all(routes)).map((row) => row['route_id'])).toEqual(['makes', 'sandbox-bank']);
  });
});

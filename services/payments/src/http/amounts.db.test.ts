import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { parseJson, type JsonNumber } from '@pay/shared/http/json-body.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { payments } from '../db/schema.ts';
import { amount as amountField } from './fields.ts';
import { renderCardPayment } from './render-card-payment.ts';
import { renderQrPayment } from './render-qr-payment.ts';
import { renderRefund } from './render-refund.ts';

// A busy machine takes minutes for a hundred thousand.
jest.setTimeout(600_000);

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const NOW = new Date('2026-11-21T00:00:00.000Z');
const BATCH = 1_000;
/** Of every length that the field takes: 15 digits of rubles and two of kopecks. */
const randomKopecks = (index: number) =>
  (BigInt(`0x${randomBytes(8).toString('hex')}`) % (10n ** BigInt(1 + (index % 17)) - 1n)) + 1n;
/** As a partner may write it: `10`, `10.5`, `10.50`. */
const tokenOf = (kopecks: bigint, index: number) => {
  const exact = renderRub(kopecks);
  return index % 2 === 0 ? exact : exact.replace(/\.?0+$/, '');
};
const amountIn = (value: unknown) => /"amount":("?)([\d.]+)\1[,}]/.exec(JSON.stringify(value))?.[2];

it('C18 100,000 random amounts: body, database, answer, status and refund record have the same kopecks', async () => {
  const wrong: string[] = [];
  for (let batch = 0; batch < 100; batch += 1) {
    const given = new Map<string, bigint>();
    const rows = Array.from({ length: BATCH }, (_none, index) => {
      const kopecks = randomKopecks(index);
      const body = parseJson(Buffer.from(`{"amount":${tokenOf(kopecks, index)}}`)) as { amount: JsonNumber };
      const paymentId = randomUUID();
      given.set(paymentId, kopecks);
      return {
        paymentId,
        partnerId: 'partner-1',
        paymentPointId: 'point-1',
        routeId: 'sandbox-bank',
        method: 'CARD',
        merchantOrderId: '',
        amountKopecks: amountField.parse(body.amount),
        description: 'x',
        customerId: 'x',
        feeBasisPoints: 0,
        status: 'CREATED',
        formToken: paymentId,
        expiresAt: NOW,
      } as const;
    });
    // As the database has them. They go again: a table that grows only makes the next insert slower.
    const stored = await t.deps.db.transaction((tx) => tx.insert(payments).values(rows).returning());
    await t.rows('delete from payments');
    expect(stored).toHaveLength(BATCH);
    for (const payment of stored) {
      const kopecks = given.get(payment.paymentId) ?? 0n;
      const exact = renderRub(kopecks);
      const refund = { ...REFUND, amountKopecks: payment.amountKopecks };
      const seen = {
        database: renderRub(payment.amountKopecks),
        status: amountIn(renderCardPayment(t.deps, payment, NOW)),
        code: amountIn(await renderQrPayment(t.deps, payment, NOW)),
        refund: amountIn(renderRefund(refund)),
      };
      // A JSON number needs no zeros at its end; a string has exactly two digits.
      const number = exact.replace(/\.?0+$/, '');
      const isExact =
        seen.database === exact && seen.status === number && seen.code === number && seen.refund === exact;
      if (!isExact) wrong.push(`${exact}: ${JSON.stringify(seen)}`);
    }
  }
  expect(wrong).toEqual([]);
});

const REFUND = {
  refundId: randomUUID(),
  paymentId: randomUUID(),
  partnerId: 'partner-1',
  merchantRefundId: null,
  reason: null,
  status: 'PENDING',
  failureCode: null,
  bankOperationId: null,
  nextReadAt: null,
  readCount: 0,
  createdAt: NOW,
  updatedAt: NOW,
  completedAt: null,
  merchantOrderId: '',
  currency: 'RUB',
  refundedKopecks: 0n,
} as const;

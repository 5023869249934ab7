import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { takeLease, UNBOOKED } from '../../db/payment/leases.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { NO_CARD } from '../../domain/acquiring/acquirer-result.ts';
import { findPayment } from '../../db/payment/payments.ts';
import { intendOptimistically } from '../checkout/intend-card.ts';
import { recordOutcome, recordSeen, type PaymentSeen } from './record-outcome.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** A payment as its holder saw it when its card left for the bank. */
async function givenSent(): Promise<PaymentSeen> {
  const { id } = await t.givenPayment();
  const read = await findPayment(t.deps.db, id);
  if (read === undefined) throw new Error('no payment');
  const intended = await intendOptimistically(t.deps, read, undefined);
  if (intended === undefined) throw new Error('not taken');
  return intended.seen;
}

const declined: Outcome = {
  kind: 'declined',
  failureCode: 'INSUFFICIENT_FUNDS',
  bankOperationId: 'bank-1',
  card: NO_CARD,
};
const paid = ({ payment }: PaymentSeen): Outcome => ({
  kind: 'confirmed',
  bankOperationId: 'bank-1',
  amountKopecks: payment.amountKopecks,
  currency: payment.currency,
  card: NO_CARD,
});

async function storyOf({ payment: { paymentId } }: PaymentSeen) {
  const events = await t.rows('select type from outbox where aggregate_id = $1 order by position', [paymentId]);
  const booked = await t.rows('select kind from ledger_transactions where reference_id = $1 order by 1', [paymentId]);
  const { status } = await t.payment(paymentId);
  return { status, events: events.map(({ type }) => type), booked: booked.map(({ kind }) => kind) };
}

it('a decline that was decided before another process booked the money does not undo the booking', async () => {
  const seen = await givenSent();
  await recordOutcome(t.deps, seen.payment, paid(seen));
  const { status } = await recordSeen(t.deps, seen, declined);
  expect(status).toBe('COMPLETED');
  expect(await storyOf(seen)).toEqual({ status: 'COMPLETED', events: ['payment.completed'], booked: ['PAYMENT'] });
});

it('money that was confirmed after another process booked a decline is owed back, not booked as paid', async () => {
  const seen = await givenSent();
  await recordOutcome(t.deps, seen.payment, declined);
  await recordSeen(t.deps, seen, paid(seen));
  expect(await storyOf(seen)).toEqual({ status: 'REJECTED', events: ['payment.failed'], booked: ['LATE_SUCCESS'] });
});

it('an outcome that comes after somebody else took the lease does not end their lease', async () => {
  const seen = await givenSent();
  const { paymentId, leaseNumber } = seen.payment;
  await t.rows('update payments set lease_until = clock_now() where payment_id = $1', [paymentId]);
  expect(await t.deps.db.transaction((tx) => takeLease(tx, paymentId, UNBOOKED))).toBeDefined();
  await recordSeen(t.deps, seen, { kind: 'unknown' });
  expect(await t.payment(paymentId)).toMatchObject({
    status: 'PENDING',
    lease_number: leaseNumber + 1,
    lease_until: expect.any(Date),
  });
});

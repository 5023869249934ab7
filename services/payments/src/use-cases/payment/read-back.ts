import { PAYMENT_STATUSES } from '@pay/contract/states.ts';
import { isNegativeEnd, isOpen } from '../../domain/payment/payment-status.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { inTraceOf } from '@pay/shared/telemetry/tracing.ts';
import { findPayment, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Acquirer, WantedFacts } from '../../acquirers/acquirer.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { lookForNextOrder } from './look-for-next-order.ts';
import { recordReadBack } from './record-outcome.ts';
import { registerNextOrder } from './register-next-order.ts';
import { underLease } from './under-lease.ts';
import { withdrawOrder } from './withdraw-order.ts';

/**
 * After how long a card that the bank has not seen counts as lost. Answered: its call ended without a clear result, which was booked
 * and released the lease. Unanswered: nobody booked a result; the sender may be about to report that nothing was
 * sent (`pay-by-card.ts`), or has died. See decisions/unknown-outcomes.
 */
const CARD_LOST_MS = { answered: 5_000, unanswered: 60_000 } as const;

/** Reads a payment at the bank, books the answer and returns it. Safe to repeat, at any time and by any process. */
export async function readBack(deps: Deps, paymentId: string): Promise<Outcome> {
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) return { kind: 'absent' };
  return inTraceOf('read payment back', payment.traceparent, async () => {
    const acquirer = await findAcquirer(deps, payment.routeId);
    const outcome: Outcome = acquirer === undefined ? { kind: 'not-sent' } : await ask(deps, acquirer, payment);
    await registerNextOrder(deps, await recordReadBack(deps, payment, outcome));
    return outcome;
  });
}

/** What the bank's answer about this payment must include. */
export const wantedOf = ({ consent, transStatus }: Payment): WantedFacts => ({
  savedCard: consent === 'GIVEN',
  challenge: transStatus === 'C',
});

async function ask(deps: Deps, acquirer: Acquirer, payment: Payment): Promise<Outcome> {
  const read = await acquirer.read(operationOf(payment), wantedOf(payment));
  const result = await lookForNextOrder(deps, acquirer, payment, read);
  if (result.kind !== 'registered' && !(result.kind === 'confirmed' && result.isOpenBesides === true)) return result;
  // From here on the bank could still take money for the order. One that ended without money is withdrawn whole.
  if (result.kind === 'registered' && isNegativeEnd(payment.status)) return withdrawOrder(deps, payment);
  // One that is paid is so even if the booked money is gone at the bank: the read after this shows that.
  if (!isOpen(payment.status)) return withdrawOthers(deps, acquirer, payment, result.bankOperationId);
  if (result.kind === 'confirmed') return result;
  const { cardSentAt, leaseUntil } = payment;
  if (cardSentAt === null) return result;
  const sentSinceMs = (await clock(deps.db)).getTime() - cardSentAt.getTime();
  if (sentSinceMs < CARD_LOST_MS[leaseUntil === null ? 'answered' : 'unanswered']) return result;
  // The order is withdrawn first, so that the card cannot arrive later.
  const cancelled = await withdrawOrder(deps, payment);
  return cancelled.kind === 'cancelled' ? { kind: 'ended', failureCode: 'PROCESSING_ERROR' } : cancelled;
}

/** The order is paid: withdraws everything else for which the bank could still take money. */
async function withdrawOthers(deps: Deps, acquirer: Acquirer, payment: Payment, paid: string): Promise<Outcome> {
  const { paymentId, bankOperationId } = payment;
  return underLease(deps, paymentId, PAYMENT_STATUSES, (fence) =>
    acquirer.cancelOthers(operationOf(payment), bankOperationId ?? paid, fence),
  );
}

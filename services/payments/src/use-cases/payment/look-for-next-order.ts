import { clock } from '@pay/shared/postgres/clock.ts';
import { findPoint } from '../../db/merchant/payment-points.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import type { Deps } from '../../deps.ts';
import type { AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';
import { declinedOf, mayTryNextCard } from '../../domain/payment/next-card.ts';
import { isOpen } from '../../domain/payment/payment-status.ts';
import type { Switch, WayToPay } from '../../domain/payment/sbp-order.ts';
import { laterOperationId } from '../order/later-operation-id.ts';

/** What is recorded of an answer is decided a little later than here. */
const MARGIN_MS = 60_000;

/**
 * A decline that was read at the bank and would end the payment, with whether the bank has the order for the next card. Then our books are
 * of an earlier moment than the decline: they were restored, and the session has ended since, or they do not know that a card was sent.
 * Likewise an order that is unpaid when the session ends, if the bank has the one for the other way to pay. Any other
 * result is returned as it is. Unknown without an answer about the next order. See decisions/orders-of-a-payment.
 */
export async function lookForNextOrder(
  deps: Deps,
  acquirer: Acquirer,
  payment: Payment,
  result: AcquirerResult,
): Promise<AcquirerResult | Switch> {
  if (payment.method !== 'CARD' || !isOpen(payment.status)) return result;
  const now = await clock(deps.db);
  if (result.kind === 'registered' || result.kind === 'cancelled') {
    const isOver = now.getTime() + MARGIN_MS >= payment.expiresAt.getTime();
    return isOver ? lookForOtherWay(deps, acquirer, payment, result) : result;
  }
  if (result.kind !== 'declined') return result;
  if (mayTryNextCard(payment, result, new Date(now.getTime() + MARGIN_MS))) return result;
  if (declinedOf(payment) + 2 > (await cardAttemptsOf(deps, payment))) return result;
  const next = await acquirer.read(laterOperationId(payment.paymentId, payment.declinedCount + 2));
  if (isUnclear(next)) return next;
  return next.kind === 'absent' ? result : { ...result, hasNextOrder: true };
}

/** The way to pay that the buyer chose after the present one, as far as the bank knows. Most points offer one way only: nobody is asked. */
async function lookForOtherWay(
  { db }: Deps,
  acquirer: Acquirer,
  { paymentId, paymentPointId, declinedCount, switchedCount, isSbpOrder, savePeriod, cardSentAt }: Payment,
  result: AcquirerResult,
): Promise<AcquirerResult | Switch> {
  if (cardSentAt !== null || savePeriod !== null) return result;
  const isOffered = switchedCount > 0 || (await findPoint(db, paymentPointId))?.sbpOnCardPage === true;
  if (!isOffered) return result;
  const to: WayToPay = isSbpOrder ? 'CARD' : 'SBP';
  const next = await acquirer.read(laterOperationId(paymentId, declinedCount + 2, to));
  if (isUnclear(next)) return next;
  return next.kind === 'absent' ? result : { kind: 'switched', to, isFound: true };
}

const isUnclear = ({ kind }: AcquirerResult): boolean => kind === 'unknown' || kind === 'not-sent' || kind === 'fenced';

/** As the point had it when the last card was sent; as it has it now, if none was. */
async function cardAttemptsOf({ db }: Deps, { cardAttemptsMax, paymentPointId }: Payment): Promise<number> {
  return cardAttemptsMax ?? (await findPoint(db, paymentPointId))?.cardAttempts ?? 1;
}

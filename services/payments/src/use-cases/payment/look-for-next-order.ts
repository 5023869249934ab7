import { clock } from '@pay/shared/postgres/clock.ts';
import { findPoint } from '../../db/merchant/payment-points.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import type { Deps } from '../../deps.ts';
import type { AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';
import { mayTryNextCard } from '../../domain/payment/next-card.ts';
import { isOpen } from '../../domain/payment/payment-status.ts';
import { laterOperationId } from './later-operation-id.ts';

/** What is recorded of an answer is decided a little later than here. */
const MARGIN_MS = 60_000;

/**
 * A decline that was read at the bank and would end the payment, with whether the bank has the order for the next card. Then our books are
 * of an earlier moment than the decline: they were restored, and the session has ended since, or they do not know that a card was sent. Any other
 * result is returned as it is. Unknown without an answer about the next order. ADR 0193.
 */
export async function lookForNextOrder(
  deps: Deps,
  acquirer: Acquirer,
  payment: Payment,
  result: AcquirerResult,
): Promise<AcquirerResult> {
  if (result.kind !== 'declined' || payment.method !== 'CARD' || !isOpen(payment.status)) return result;
  const now = await clock(deps.db);
  if (mayTryNextCard(payment, result, new Date(now.getTime() + MARGIN_MS))) return result;
  const nextAttempt = payment.declinedCount + 2;
  if (nextAttempt > (await cardAttemptsOf(deps, payment))) return result;
  const next = await acquirer.read(laterOperationId(payment.paymentId, nextAttempt));
  if (next.kind === 'unknown' || next.kind === 'not-sent' || next.kind === 'fenced') return next;
  return next.kind === 'absent' ? result : { ...result, hasNextOrder: true };
}

/** As the point had it when the last card was sent; as it has it now, if none was. */
async function cardAttemptsOf({ db }: Deps, { cardAttemptsMax, paymentPointId }: Payment): Promise<number> {
  return cardAttemptsMax ?? (await findPoint(db, paymentPointId))?.cardAttempts ?? 1;
}

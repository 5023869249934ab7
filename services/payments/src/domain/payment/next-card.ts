import type { FailureCode } from '@pay/contract/messages.ts';
import type { PaymentStatus } from '@pay/contract/states.ts';

/** The declines that are about one card or its issuer: another card may pay. A suspicion of fraud is not among them. */
const ANOTHER_CARD_MAY_PAY: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'INSUFFICIENT_FUNDS',
  'CARD_EXPIRED',
  'CARD_BLOCKED',
  'INVALID_CARD_DETAILS',
  'CARD_NOT_SUPPORTED',
  'LIMIT_EXCEEDED',
  'AUTHENTICATION_FAILED',
  'DECLINED_BY_ISSUER',
  'ISSUER_UNAVAILABLE',
]);

type Tried = {
  readonly status: PaymentStatus;
  readonly expiresAt: Date;
  readonly cardSentAt: Date | null;
  readonly declinedCount: number;
  readonly switchedCount: number;
  readonly cardAttemptsMax: number | null;
};

/** What the bank said of the present card. */
type Declined = { readonly failureCode: FailureCode; readonly hasNextOrder?: boolean };

/**
 * Whether another card follows the present one, which the bank declined: the point allows more cards than were tried, and the session has
 * not ended; or the bank has the order for it, so that only our books are behind. See
 * spec/decisions#card-attempts-per-payment and decisions/orders-of-a-payment.
 */
export function mayTryNextCard(payment: Tried, { failureCode, hasNextOrder }: Declined, now: Date): boolean {
  const { status, expiresAt, cardSentAt, declinedCount, cardAttemptsMax } = payment;
  if (status !== 'SUBMITTED' && status !== 'PENDING') return false;
  if (hasNextOrder === true) return true;
  // The bank may have declined a card for a later order before our books were restored: they do not know of that card.
  const mayHaveSent = cardSentAt !== null || declinedCount > 0;
  return mayHaveSent && now < expiresAt && declinedOf(payment) + 1 < (cardAttemptsMax ?? 1) && ANOTHER_CARD_MAY_PAY.has(failureCode);
}

/** How many of a payment's orders the bank declined. The others were left by the buyer, and count as no attempt. */
export const declinedOf = ({ declinedCount, switchedCount }: Pick<Tried, 'declinedCount' | 'switchedCount'>): number =>
  declinedCount - switchedCount;

/** Why an unpaid payment failed if nothing was tried since the last decline: that decline. Undefined if that does not apply. */
export function lastDeclineOf(payment: {
  readonly cardSentAt: Date | null;
  readonly lastDecline: FailureCode | null;
  readonly isSbpOrder: boolean;
}): FailureCode | undefined {
  const isUntried = payment.cardSentAt === null && !payment.isSbpOrder;
  return isUntried ? (payment.lastDecline ?? undefined) : undefined;
}

type Ordered = { readonly paymentId: string; readonly operationId: string | null };

/** Our id of the order at the bank that the payment's present card is for. */
export const operationOf = ({ paymentId, operationId }: Ordered): string => operationId ?? paymentId;

/** Whether a card was declined and the order for the next one is not registered yet. */
export function awaitsNextOrder(
  payment: Pick<Ordered, 'operationId'> & { readonly status: PaymentStatus; readonly bankOperationId: string | null },
): boolean {
  return payment.status === 'SUBMITTED' && payment.operationId !== null && payment.bankOperationId === null;
}

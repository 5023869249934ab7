import type { PaymentMethod, PaymentStatus } from '@pay/contract/states.ts';
import { canEnterCard } from './card-entry.ts';

/** The two ways to pay a card payment on its page. */
export type WayToPay = 'CARD' | 'SBP';

type Ordered = { readonly method: PaymentMethod; readonly isSbpOrder: boolean };

/** Whether the payment's present order is paid by SBP: then only the bank knows whether the buyer is paying it. */
export const paysBySbp = ({ method, isSbpOrder }: Ordered): boolean => method === 'SBP_DYNAMIC_QR' || isSbpOrder;

/** How often a buyer may choose SBP for one payment: each time takes an order of its own at the bank. */
const SBP_CHOICES_MAX = 3;

/**
 * Whether the buyer may choose SBP at `now`, if the point offers it: a card could be entered, none is under way, and none is to be
 * saved. See decisions/orders-of-a-payment.
 */
export function mayChooseSbp(
  payment: Parameters<typeof canEnterCard>[0] & { readonly savePeriod: string | null; readonly switchedCount: number },
  now: Date,
): boolean {
  const isLeft = payment.switchedCount < 2 * SBP_CHOICES_MAX;
  return isLeft && payment.savePeriod === null && canEnterCard(payment, now);
}

type Switched = {
  readonly status: PaymentStatus;
  readonly cardSentAt: Date | null;
  readonly expiresAt: Date;
  readonly isSbpOrder: boolean;
  readonly bankOperationId: string | null;
};

/** What ends an order without ending its payment. `isFound`: the bank has the next order, so that only our books are behind. */
export type Switch = { readonly kind: 'switched'; readonly to: WayToPay; readonly isFound?: boolean };

type OrderEnd = Switch | { readonly kind: 'cancelled' | 'declined' };

/**
 * The way to pay that follows the present one, whose order can take no money any more: the buyer chose another; or an SBP order is void at
 * the bank, or was refused there before anybody saw its code, and the buyer may still pay by card. Undefined for anything else.
 */
export function wayAfter(payment: Switched, end: OrderEnd, now: Date): WayToPay | undefined {
  const { status, cardSentAt, expiresAt, isSbpOrder, bankOperationId } = payment;
  if (status !== 'SUBMITTED' && status !== 'PENDING') return undefined;
  if (end.kind === 'switched') {
    const isPossible = end.isFound === true || (cardSentAt === null && now < expiresAt);
    return isPossible && isSbpOrder !== (end.to === 'SBP') ? end.to : undefined;
  }
  const isVoid = end.kind === 'cancelled' || bankOperationId === null;
  return isSbpOrder && isVoid && now < expiresAt ? 'CARD' : undefined;
}

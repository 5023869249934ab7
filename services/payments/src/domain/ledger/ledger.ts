import { shareOf } from '@pay/shared/money/money.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/**
 * ACQUIRER_CLEARING: what a route owes us (an asset). PARTNER_PAYABLE: what we owe a partner. FEE_INCOME: what we earned
 * at a payment point. REFUNDS_IN_FLIGHT: a partner's money on its way back to buyers. SUSPENSE: money that belongs to no
 * order, until it is returned to the buyer.
 */
export const LEDGER_ACCOUNTS = ['ACQUIRER_CLEARING', 'PARTNER_PAYABLE', 'FEE_INCOME', 'REFUNDS_IN_FLIGHT', 'SUSPENSE'] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** Why money moved. */
export const LEDGER_KINDS = [
  'PAYMENT',
  'REFUND_REQUESTED',
  'REFUND',
  'REFUND_FAILED',
  'LATE_SUCCESS',
  'PAID_TWICE',
  /** Money of an order that only the bank knows (decisions/reconciliation). */
  'UNKNOWN_ORDER',
  /** Money from a late success, or of an order that was paid twice or is unknown, was returned to the buyer. */
  'LATE_SUCCESS_RETURNED',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * One side of a transaction: a debit is positive, a credit negative. `owner` is a partner, a route, a payment point, or
 * `house`.
 */
export type LedgerEntry = { readonly account: LedgerAccount; readonly owner: string; readonly amountKopecks: bigint };

/** The owner of what belongs to no partner, route or point. */
export const HOUSE = 'house';

type Booked = {
  readonly partnerId: PartnerId;
  readonly paymentPointId: string;
  readonly routeId: string;
  readonly amountKopecks: bigint;
  readonly feeBasisPoints: number;
};

/** A completed payment: the bank owes us the amount, and we owe the partner all but the fee. Sums to zero, without zero entries. */
export function entriesForCompleted(payment: Booked): LedgerEntry[] {
  const { amountKopecks } = payment;
  const fee = shareOf(amountKopecks, payment.feeBasisPoints);
  const entries: LedgerEntry[] = [
    { account: 'ACQUIRER_CLEARING', owner: payment.routeId, amountKopecks },
    { account: 'PARTNER_PAYABLE', owner: payment.partnerId, amountKopecks: fee - amountKopecks },
    { account: 'FEE_INCOME', owner: payment.paymentPointId, amountKopecks: -fee },
  ];
  return entries.filter((entry) => entry.amountKopecks !== 0n);
}

/** What booking a refund needs: the partner, the route and the amount. */
type RefundBooked = Pick<Booked, 'partnerId' | 'routeId' | 'amountKopecks'>;

/** A refund was requested: this money can no longer be paid out to the partner. We keep our fee (decisions/ledger). */
export function entriesForRequestedRefund({ partnerId, amountKopecks }: RefundBooked): LedgerEntry[] {
  return [
    { account: 'PARTNER_PAYABLE', owner: partnerId, amountKopecks },
    { account: 'REFUNDS_IN_FLIGHT', owner: partnerId, amountKopecks: -amountKopecks },
  ];
}

/** The bank paid the refund to the buyer, so it owes us that much less. */
export function entriesForCompletedRefund({ partnerId, routeId, amountKopecks }: RefundBooked): LedgerEntry[] {
  return [
    { account: 'REFUNDS_IN_FLIGHT', owner: partnerId, amountKopecks },
    { account: 'ACQUIRER_CLEARING', owner: routeId, amountKopecks: -amountKopecks },
  ];
}

/** The refund failed: the money is the partner's again. */
export function entriesForFailedRefund({ partnerId, amountKopecks }: RefundBooked): LedgerEntry[] {
  return [
    { account: 'REFUNDS_IN_FLIGHT', owner: partnerId, amountKopecks },
    { account: 'PARTNER_PAYABLE', owner: partnerId, amountKopecks: -amountKopecks },
  ];
}

/** Money that arrived after the payment had ended, or a second time: it belongs to nobody yet. */
export function entriesForLateSuccess(routeId: string, amountKopecks: bigint): LedgerEntry[] {
  return [
    { account: 'ACQUIRER_CLEARING', owner: routeId, amountKopecks },
    { account: 'SUSPENSE', owner: HOUSE, amountKopecks: -amountKopecks },
  ];
}

/** The same money, returned to the buyer. */
export function entriesForReturnedMoney(routeId: string, amountKopecks: bigint): LedgerEntry[] {
  return [
    { account: 'SUSPENSE', owner: HOUSE, amountKopecks },
    { account: 'ACQUIRER_CLEARING', owner: routeId, amountKopecks: -amountKopecks },
  ];
}

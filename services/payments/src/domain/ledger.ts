import { shareOf } from '@pay/shared/money/money.ts';

/**
 * ACQUIRER_CLEARING: what a route owes us (an asset). PARTNER_PAYABLE: what we owe a partner. FEE_INCOME: what we earned.
 * SUSPENSE: money that belongs to no order, until it is back with the buyer.
 */
export type LedgerAccount = 'ACQUIRER_CLEARING' | 'PARTNER_PAYABLE' | 'FEE_INCOME' | 'SUSPENSE';

/** Why money moved. */
export type LedgerKind = 'PAYMENT' | 'LATE_SUCCESS' | 'LATE_SUCCESS_RETURNED';

/** One side of a transaction: a debit is positive, a credit negative. `owner` is a partner, a route, or `house`. */
export type LedgerEntry = { readonly account: LedgerAccount; readonly owner: string; readonly amountKopecks: bigint };

/** The owner of our own accounts. */
export const HOUSE = 'house';

type Booked = {
  readonly partnerId: string;
  readonly routeId: string;
  readonly amountKopecks: bigint;
  readonly feeBasisPoints: number;
};

/** A completed payment: the bank owes us the amount, we owe the partner all but the fee. Sums to zero, no empty entry. */
export function entriesForCompleted(payment: Booked): LedgerEntry[] {
  const { amountKopecks } = payment;
  const fee = shareOf(amountKopecks, payment.feeBasisPoints);
  const entries: LedgerEntry[] = [
    { account: 'ACQUIRER_CLEARING', owner: payment.routeId, amountKopecks },
    { account: 'PARTNER_PAYABLE', owner: payment.partnerId, amountKopecks: fee - amountKopecks },
    { account: 'FEE_INCOME', owner: HOUSE, amountKopecks: -fee },
  ];
  return entries.filter((entry) => entry.amountKopecks !== 0n);
}

/** Money that came after the payment had ended: nobody's, so far. */
export function entriesForLateSuccess(routeId: string, amountKopecks: bigint): LedgerEntry[] {
  return [
    { account: 'ACQUIRER_CLEARING', owner: routeId, amountKopecks },
    { account: 'SUSPENSE', owner: HOUSE, amountKopecks: -amountKopecks },
  ];
}

/** The same money, back with the buyer. */
export function entriesForReturnedMoney(routeId: string, amountKopecks: bigint): LedgerEntry[] {
  return [
    { account: 'SUSPENSE', owner: HOUSE, amountKopecks },
    { account: 'ACQUIRER_CLEARING', owner: routeId, amountKopecks: -amountKopecks },
  ];
}

import type { PaymentStatus } from '@pay/contract/states.ts';
import type { Cancelled, Confirmed, Taken } from '../acquiring/acquirer-result.ts';
import type { Outcome } from './payment-outcome.ts';
import { isNegativeEnd, isOpen } from './payment-status.ts';

/** What is needed of a payment to divide the money. */
export type DividedPayment = {
  readonly status: PaymentStatus;
  readonly bankOperationId: string | null;
  readonly amountKopecks: bigint;
  readonly currency: string;
  /** Our refunds, in flight or completed. */
  readonly refundReservedKopecks: bigint;
};

/** All money that the bank took for an order, divided. */
export type Division = {
  /** The money that pays for the order: booked, or about to be. */
  readonly paying: Confirmed;
  /** Money that nobody owed: it is returned. Empty while that is not certain. */
  readonly surplus: readonly Taken[];
  /** The booked money was returned without us, and other money took its place: an operator must look. */
  readonly isReplaced: boolean;
};

/**
 * Divides the money that the bank took for an order into what pays for it and the surplus. One of the bank's payments pays: the
 * booked one or, if none is booked, the first with our amount. Late money of a payment that has ended pays for nothing:
 * the first is the late success, and the others are surplus. See decisions/unknown-outcomes.
 */
export function divideTaken(payment: DividedPayment, confirmed: Confirmed): Division {
  const { alsoTaken = [], ...first } = confirmed;
  const all: readonly Taken[] = [first, ...alsoTaken].map(({ bankOperationId, amountKopecks, currency }) => {
    return { bankOperationId, amountKopecks, currency };
  });
  const others = (chosen: Taken) => all.filter(({ bankOperationId }) => bankOperationId !== chosen.bankOperationId);
  const booked = all.find(({ bankOperationId }) => bankOperationId === payment.bankOperationId);
  if (isOpen(payment.status)) {
    const exact = all.find((taken) => isExact(payment, taken));
    const chosen = exact ?? first;
    return { paying: { ...first, ...chosen }, surplus: exact === undefined ? [] : others(exact), isReplaced: false };
  }
  if (booked !== undefined) return { paying: { ...first, ...booked }, surplus: others(booked), isReplaced: false };
  if (isNegativeEnd(payment.status)) return { paying: first, surplus: others(first), isReplaced: false };
  const isRefunded = payment.refundReservedKopecks > 0n;
  return { paying: first, surplus: isRefunded ? all : [], isReplaced: !isRefunded };
}

const isExact = (payment: DividedPayment, { amountKopecks, currency }: Taken): boolean =>
  amountKopecks === payment.amountKopecks && currency === payment.currency;

/** Whether the outcome says that the booked money was returned, although we did not refund any of it. */
export function isTakenBack({ status, bankOperationId, refundReservedKopecks }: DividedPayment, outcome: Outcome): outcome is Cancelled {
  if (outcome.kind !== 'cancelled' || status !== 'COMPLETED' || refundReservedKopecks > 0n) return false;
  return [outcome.bankOperationId, ...(outcome.alsoReturned ?? [])].some((id) => id === bankOperationId);
}

import type { PaymentStatus } from '@pay/contract/states.ts';
import type { Confirmed, Taken } from '../acquiring/acquirer-result.ts';
import { isNegativeEnd, isOpen } from './payment-status.ts';

/** What dividing needs to know of a payment. */
export type DividedPayment = {
  readonly status: PaymentStatus;
  readonly bankOperationId: string | null;
  readonly amountKopecks: bigint;
  readonly currency: string;
  /** Refunds of ours, on their way or done. */
  readonly refundReservedKopecks: bigint;
};

/** Everything that the bank took for an order, divided. */
export type Division = {
  /** What pays for the order: what is booked, or is to be. */
  readonly paying: Confirmed;
  /** What nobody ordered: it goes back. Empty while it is not certain. */
  readonly surplus: readonly Taken[];
  /** What is booked was given back without us, and other money is there in its place: for a person. */
  readonly isReplaced: boolean;
};

/**
 * Divides what the bank took for an order into what pays for it and what is left over. One of the bank's payments pays: the
 * one that is booked; before anything is, the first of our amount. Late money of a payment that ended pays for nothing:
 * the first is the late success, as ever, and the others are left over. ADR 0071.
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

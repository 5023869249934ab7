import type { ExceptionKind, ReconciliationResult } from '@pay/contract/operator/states.ts';
import { dayOf, endOfDay } from '@pay/shared/time/day.ts';

/** What an operator reads if there is nothing more specific to say. */
export const EXCEPTION_REASONS = {
  LATE_SUCCESS: 'The bank took the money after the payment had ended; it is being returned to the buyer.',
  PAID_TWICE:
    'The bank took money for this order more than once, or with a card that it had declined; the surplus is being returned to the buyer.',
  AMOUNT_MISMATCH: 'The bank took a different amount or currency.',
  NOT_AUTHENTICATED: 'The bank took money from a buyer who was not authenticated, at a point that declines such buyers.',
  RETURN_FAILED:
    'Money that belongs to no order was not returned, or the bank doesn’t say whether it was. If it is still there, refund it in the bank’s cabinet; then resolve this.',
  REFUND_MISMATCH: 'The bank refunded a different amount or currency.',
  MISSING_HERE: "The bank's register has an operation that we do not know.",
  MISSING_THERE: 'We have an operation that the bank does not know.',
  STATE_MISMATCH: 'We and the bank disagree about whether money moved.',
  OUTCOME_UNKNOWN: 'The bank does not say what became of this payment. Look in its cabinet whether it took the money.',
} as const satisfies Record<ExceptionKind, string>;

/** The same for OUTCOME_UNKNOWN of a refund. */
export const UNCLEAR_REFUND =
  'The bank does not say what became of this refund. Look in its cabinet before anything more of the payment is returned.';

/** The same for RETURN_FAILED of an order that only the bank knows: it can be returned again. */
export const UNKNOWN_ORDER_RETURN_FAILED =
  'The bank declined to return money of an unknown order. Return it again, or refund it in the bank’s cabinet, reconcile that day and then return this: the refund is booked.';

/** What one side says about the money: `open` may still move. */
type Money = 'moved' | 'open' | 'none';

/** One operation in the bank's register. */
export type RegisterEntry = {
  /** Our id, if we sent the operation. */
  readonly operationId: string;
  readonly bankOperationId: string;
  readonly kind: 'PAYMENT' | 'REFUND';
  /** In the bank's words, for people. */
  readonly status: string;
  readonly money: Money;
  readonly amountKopecks: bigint;
  readonly currency: string;
  /** Of a refund: the operation that it refunds, if the register names it. */
  readonly originalOperationId: string | null;
};

/** One operation in our books. RETURN: money of a late success being returned. */
export type OurOperation = {
  readonly operationId: string;
  readonly kind: 'PAYMENT' | 'REFUND' | 'RETURN';
  /** Null: of an order that only the bank knows (decisions/reconciliation). */
  readonly paymentId: string | null;
  readonly bankOperationId: string | null;
  readonly status: string;
  readonly money: Money;
  /** If money moved, the booked amount. */
  readonly amountKopecks: bigint;
  /** The worker will ask the bank about it anyway. */
  readonly isFollowedUp: boolean;
};

/** The two sides of one operation; at least one is present. */
export type Pair =
  | { readonly ours: OurOperation; readonly bank: RegisterEntry }
  | { readonly ours: undefined; readonly bank: RegisterEntry }
  | { readonly ours: OurOperation; readonly bank: undefined };

/** Compares the two sides. Rubles only: another currency counts as another amount. */
export function compareSides({ ours, bank }: Pair): ReconciliationResult {
  if (ours === undefined) return 'MISSING_HERE';
  if (bank === undefined) return 'MISSING_THERE';
  if ((ours.kind === 'PAYMENT') !== (bank.kind === 'PAYMENT')) return 'DIFFERENT_STATE';
  if (ours.money === 'open' || bank.money === 'open') return compareOpen(ours, bank);
  if (ours.money !== bank.money) return 'DIFFERENT_STATE';
  return ours.money === 'none' || isSameAmount(ours, bank) ? 'MATCHED' : 'DIFFERENT_AMOUNT';
}

function compareOpen(ours: OurOperation, bank: RegisterEntry): ReconciliationResult {
  // We booked money on which the bank has not decided.
  if (ours.money === 'moved') return 'DIFFERENT_STATE';
  // We ended it before the bank did. Money that still arrives is found as a late success, or by the next comparison.
  if (ours.money === 'none') return 'IN_PROGRESS';
  if (bank.money === 'moved' && !isSameAmount(ours, bank)) return 'DIFFERENT_AMOUNT';
  return bank.money === 'open' || ours.isFollowedUp ? 'IN_PROGRESS' : 'DIFFERENT_STATE';
}

const isSameAmount = (ours: OurOperation, bank: RegisterEntry): boolean =>
  bank.currency === 'RUB' && bank.amountKopecks === ours.amountKopecks;

/** Kopecks that moved on one side: taken is positive, returned is negative, otherwise zero. */
export function movedKopecks(side: OurOperation | RegisterEntry | undefined): bigint {
  if (side?.money !== 'moved' || ('currency' in side && side.currency !== 'RUB')) return 0n;
  return side.kind === 'PAYMENT' ? side.amountKopecks : -side.amountKopecks;
}

/** The exception that a result raises; undefined if the sides agree. */
export function exceptionKindOf(result: ReconciliationResult, kind: OurOperation['kind']): ExceptionKind | undefined {
  switch (result) {
    case 'MATCHED':
    case 'IN_PROGRESS':
      return undefined;
    case 'MISSING_HERE':
    case 'MISSING_THERE':
      return result;
    case 'DIFFERENT_AMOUNT':
      return kind === 'PAYMENT' ? 'AMOUNT_MISMATCH' : 'REFUND_MISMATCH';
    case 'DIFFERENT_STATE':
      return 'STATE_MISMATCH';
  }
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** When a day is compared after its end, and again once open operations have ended: a 3-D Secure session may take 36 h. */
const LOOKS_AFTER_MS = [HOUR_MS, 72 * HOUR_MS] as const;
/** After a longer outage, earlier days are compared only on request. */
const DAYS_BACK = 7;

/** The days due for comparison at `now`, oldest first. `lastStarts`: when each was last compared. */
export function daysDue(now: Date, lastStarts: ReadonlyMap<string, Date>): string[] {
  const days = Array.from({ length: DAYS_BACK }, (_, back) => dayOf(new Date(now.getTime() - (DAYS_BACK - back) * DAY_MS)));
  return days.filter((day) => {
    const end = endOfDay(day).getTime();
    const lastStart = lastStarts.get(day)?.getTime() ?? 0;
    return LOOKS_AFTER_MS.some((after) => now.getTime() >= end + after && lastStart < end + after);
  });
}

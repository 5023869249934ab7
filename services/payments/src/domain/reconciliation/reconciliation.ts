import type { ExceptionKind, ReconciliationResult } from '@pay/contract/operator/states.ts';
import { dayOf, endOfDay } from '@pay/shared/time/day.ts';

/** What a person is told where there is nothing more exact to say. */
export const EXCEPTION_REASONS = {
  LATE_SUCCESS: 'The bank took the money after the payment had ended; it is on its way back to the buyer.',
  PAID_TWICE: 'The bank took money for this order more than once; what is left over is on its way back to the buyer.',
  AMOUNT_MISMATCH: 'The bank took another amount or currency than ours.',
  NOT_AUTHENTICATED: 'The bank took money of a buyer who was not authenticated, at a point that declines those.',
  RETURN_FAILED: 'Money that nobody ordered could not be given back.',
  REFUND_MISMATCH: 'The bank gave back another amount or currency than ours.',
  MISSING_HERE: 'The register of the bank has an operation that we do not know.',
  MISSING_THERE: 'The bank does not know an operation that we have.',
  STATE_MISMATCH: 'The bank and we disagree about whether money moved.',
} as const satisfies Record<ExceptionKind, string>;

/** What one side says about money: `open` may still move. */
type Money = 'moved' | 'open' | 'none';

/** One operation as the bank's register has it. */
export type RegisterEntry = {
  /** Ours, where we sent it. */
  readonly operationId: string;
  readonly bankOperationId: string;
  readonly kind: 'PAYMENT' | 'REFUND';
  /** In the bank's words, for people. */
  readonly status: string;
  readonly money: Money;
  readonly amountKopecks: bigint;
  readonly currency: string;
};

/** One operation as our books have it. RETURN: money of a late success on its way back. */
export type OurOperation = {
  readonly operationId: string;
  readonly kind: 'PAYMENT' | 'REFUND' | 'RETURN';
  readonly paymentId: string;
  readonly bankOperationId: string | null;
  readonly status: string;
  readonly money: Money;
  /** Where money moved: as booked. */
  readonly amountKopecks: bigint;
  /** The worker will ask the bank about it by itself. */
  readonly isFollowedUp: boolean;
};

/** Both sides of one operation; at least one is there. */
export type Pair =
  | { readonly ours: OurOperation; readonly bank: RegisterEntry }
  | { readonly ours: undefined; readonly bank: RegisterEntry }
  | { readonly ours: OurOperation; readonly bank: undefined };

/** What comparing the two sides gives. Rubles only: another currency is another amount. */
export function compareSides({ ours, bank }: Pair): ReconciliationResult {
  if (ours === undefined) return 'MISSING_HERE';
  if (bank === undefined) return 'MISSING_THERE';
  if ((ours.kind === 'PAYMENT') !== (bank.kind === 'PAYMENT')) return 'DIFFERENT_STATE';
  if (ours.money === 'open' || bank.money === 'open') return compareOpen(ours, bank);
  if (ours.money !== bank.money) return 'DIFFERENT_STATE';
  return ours.money === 'none' || isSameAmount(ours, bank) ? 'MATCHED' : 'DIFFERENT_AMOUNT';
}

function compareOpen(ours: OurOperation, bank: RegisterEntry): ReconciliationResult {
  // We booked what the bank has not decided.
  if (ours.money === 'moved') return 'DIFFERENT_STATE';
  // We ended it before the bank did: should money come after all, it is found as a late success, or by the next look.
  if (ours.money === 'none') return 'IN_PROGRESS';
  if (bank.money === 'moved' && !isSameAmount(ours, bank)) return 'DIFFERENT_AMOUNT';
  return bank.money === 'open' || ours.isFollowedUp ? 'IN_PROGRESS' : 'DIFFERENT_STATE';
}

const isSameAmount = (ours: OurOperation, bank: RegisterEntry): boolean =>
  bank.currency === 'RUB' && bank.amountKopecks === ours.amountKopecks;

/** Kopecks that a side has moved: taken positive, given back negative, else zero. */
export function movedKopecks(side: OurOperation | RegisterEntry | undefined): bigint {
  if (side?.money !== 'moved' || ('currency' in side && side.currency !== 'RUB')) return 0n;
  return side.kind === 'PAYMENT' ? side.amountKopecks : -side.amountKopecks;
}

/** What a difference is to a person; undefined where there is none. */
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
/** How long after its end a day is compared, and again when what was open has ended: a 3-D Secure session may take 36 h. */
const LOOKS_AFTER_MS = [HOUR_MS, 72 * HOUR_MS] as const;
/** Days that a service which was away for longer has to be asked for. */
const DAYS_BACK = 7;

/** The days before `now` that are to be compared by now, oldest first; `lastStarts`: when each was compared last. */
export function daysDue(now: Date, lastStarts: ReadonlyMap<string, Date>): string[] {
  const days = Array.from({ length: DAYS_BACK }, (_, back) =>
    dayOf(new Date(now.getTime() - (DAYS_BACK - back) * DAY_MS)),
  );
  return days.filter((day) => {
    const end = endOfDay(day).getTime();
    const lastStart = lastStarts.get(day)?.getTime() ?? 0;
    return LOOKS_AFTER_MS.some((after) => now.getTime() >= end + after && lastStart < end + after);
  });
}

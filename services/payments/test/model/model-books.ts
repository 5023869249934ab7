import type { PaymentStatus } from '@pay/contract/states.ts';
import type { AcquirerResult, Taken } from '../../src/domain/acquiring/acquirer-result.ts';
import type { Fence } from '../../src/domain/acquiring/fence.ts';
import { isNegativeEnd, isOpen } from '../../src/domain/payment/payment-status.ts';
import { nextReadAt, unhurried } from '../../src/domain/payment/read-back-schedule.ts';
import { decideOutcome, isKnownToBank, type Outcome } from '../../src/domain/payment/payment-outcome.ts';
import { divideTaken, isTakenBack } from '../../src/domain/payment/taken.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const AMOUNT = 1_000n;
const LEASE_MS = 20_000;
const MARGIN_MS = 5_000;

export type Return = {
  readonly id: string;
  readonly taken: Taken;
  state: 'open' | 'done' | 'failed';
  attempts: number;
  until: number;
};

/** Our books of one payment, by the rules of `record-outcome.ts` and `leases.ts`; the decisions are the real ones. */
export function createModelBooks(clock: VirtualClock, isCard: boolean) {
  const row = {
    status: 'CREATED' as PaymentStatus,
    bankOperationId: null as string | null,
    amountKopecks: AMOUNT,
    currency: 'RUB',
    refundReservedKopecks: 0n,
    expiresAt: new Date(120_000),
    cardSentAt: isCard ? new Date(0) : null,
    declinedCount: 0,
    switchedCount: 0,
    isSbpOrder: false,
    lastDecline: null,
    cardAttemptsMax: null,
    leaseUntil: LEASE_MS,
    leaseNumber: 1,
    nextReadAt: LEASE_MS as number | null,
    readCount: 0,
  };
  const returns: Return[] = [];
  const facts = { takenTwice: false, fenced: false, late: false };
  /** Of an exception: what is booked and gone, and what came in its place. */
  const exceptions = { isGone: false, replacements: new Map<string, bigint>() };

  function take(statuses: (status: PaymentStatus) => boolean): number | undefined {
    if (!statuses(row.status) || row.leaseUntil > clock.now) return undefined;
    Object.assign(row, { leaseUntil: clock.now + LEASE_MS, leaseNumber: row.leaseNumber + 1 });
    return row.leaseNumber;
  }
  const fenceOf = (number: number, statuses: (status: PaymentStatus) => boolean): Fence => ({
    async leftMs() {
      const isOurs = row.leaseNumber === number && statuses(row.status);
      const left = isOurs ? Math.max(0, row.leaseUntil - clock.now - MARGIN_MS) : 0;
      if (left === 0) facts.fenced = true;
      await clock.sleep(1);
      return left;
    },
  });
  function release(number: number): void {
    if (row.leaseNumber === number) row.leaseUntil = 0;
  }

  function giveBack(taken: Taken): void {
    if (returns.some(({ taken: known }) => known.bankOperationId === taken.bankOperationId)) return;
    if (isNegativeEnd(row.status)) facts.late = true;
    else facts.takenTwice = true;
    returns.push({ id: `return-${taken.bankOperationId}`, taken, state: 'open', attempts: 0, until: 0 });
  }

  function record(outcome: Outcome, wasBooked = false): void {
    if (outcome.kind === 'fenced') return;
    if (outcome.kind !== 'confirmed') {
      recordOne(outcome, wasBooked);
      return;
    }
    const { paying, surplus, isReplaced } = divideTaken(row, outcome);
    recordOne(paying, wasBooked);
    if (isReplaced && wasBooked) {
      exceptions.isGone = true;
      for (const { bankOperationId, amountKopecks } of [outcome, ...(outcome.alsoTaken ?? [])]) {
        exceptions.replacements.set(bankOperationId, amountKopecks);
      }
    }
    surplus.forEach(giveBack);
  }

  function recordOne(outcome: Outcome, wasBooked: boolean): void {
    const now = new Date(clock.now);
    if (row.status === 'CREATED' && isKnownToBank(outcome)) row.status = 'SUBMITTED';
    const decision = decideOutcome(row, outcome, now);
    const isBooked = row.status === 'COMPLETED';
    if (!isBooked && 'bankOperationId' in outcome && outcome.bankOperationId !== null)
      row.bankOperationId = outcome.bankOperationId;
    const mayGoOn = outcome.kind === 'confirmed' && outcome.isOpenBesides === true;
    if (outcome.kind === 'pending' || isCard) row.readCount = unhurried(row.readCount);
    row.nextReadAt = nextReadAt(row, now)?.getTime() ?? null;
    row.readCount += 1;
    if (decision.kind === 'complete')
      Object.assign(row, { status: 'COMPLETED', nextReadAt: mayGoOn ? clock.now : null });
    if (decision.kind === 'fail') row.status = decision.to;
    if (decision.kind === 'await-result') row.status = 'PENDING';
    if (decision.kind === 'late-success') giveBack(decision.confirmed);
    if (isTakenBack(row, outcome) && wasBooked) exceptions.isGone = true;
  }

  return {
    row,
    returns,
    facts,
    take,
    fenceOf,
    release,
    record,
    /** Runs an operation alone, as `under-lease.ts`. */
    async underLease(
      statuses: (status: PaymentStatus) => boolean,
      run: (fence: Fence) => Promise<AcquirerResult>,
    ): Promise<AcquirerResult> {
      const number = take(statuses);
      if (number === undefined) return { kind: 'fenced' };
      const result = await run(fenceOf(number, statuses));
      release(number);
      return result;
    },
    isUndecided: isOpen,
    /**
     * `isThere`: whether the bank still has the money of its payment. A person looks there when booked money seemed to be gone, and
     * when a return failed.
     */
    sums(isThere: (bankOperationId: string) => boolean) {
      const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n);
      const isKept = !exceptions.isGone || (row.bankOperationId !== null && isThere(row.bankOperationId));
      const booked = row.status === 'COMPLETED' && isKept ? AMOUNT : 0n;
      const open = returns.filter(
        ({ state, taken }) => state === 'open' || (state === 'failed' && isThere(taken.bankOperationId)),
      );
      // Money that is to be given back can also be what came in the place of the booked money.
      const exceptional = new Map([
        ...[...exceptions.replacements].filter(([bankOperationId]) => isThere(bankOperationId)),
        ...open.map(({ taken }) => [taken.bankOperationId, taken.amountKopecks] as const),
      ]);
      return { booked, suspense: sum(exceptional.values()) };
    },
  };
}

import type { FailureCode } from '@pay/contract/messages.ts';
import type { PaymentMethod, PaymentStatus } from '@pay/contract/states.ts';
import type { AcquirerResult, Taken } from '../../src/domain/acquiring/acquirer-result.ts';
import type { Fence } from '../../src/domain/acquiring/fence.ts';
import { awaitsNextOrder, operationOf } from '../../src/domain/payment/next-card.ts';
import { isNegativeEnd, isOpen } from '../../src/domain/payment/payment-status.ts';
import { nextReadAt, unhurried } from '../../src/domain/payment/read-back-schedule.ts';
import { decideOutcome, isKnownToBank, type Outcome } from '../../src/domain/payment/payment-outcome.ts';
import { mayChooseSbp, paysBySbp, type WayToPay } from '../../src/domain/payment/sbp-order.ts';
import { divideTaken, isTakenBack } from '../../src/domain/payment/taken.ts';
import { laterOperationId } from '../../src/use-cases/order/later-operation-id.ts';
import { AMOUNT } from './model-bank.ts';
import type { VirtualClock } from './virtual-clock.ts';

const LEASE_MS = 20_000;
const MARGIN_MS = 5_000;
/** As the pauses of `nextQrReadAt` begin. */
const QR_PAUSE_MS = 5_000;

export type Return = {
  readonly id: string;
  /** Our id of the order that took it. */
  readonly operationId: string;
  readonly taken: Taken;
  state: 'open' | 'done' | 'failed';
  attempts: number;
  until: number;
};

/** Our books of one payment, by the rules of `record-outcome.ts` and `leases.ts`; the decisions are the real ones. */
export function createModelBooks(clock: VirtualClock, paymentId: string, method: PaymentMethod) {
  const isCharge = method === 'CARD_BINDING';
  const row = {
    paymentId,
    method,
    status: 'CREATED' as PaymentStatus,
    operationId: null as string | null,
    bankOperationId: null as string | null,
    amountKopecks: AMOUNT,
    currency: 'RUB',
    refundReservedKopecks: 0n,
    expiresAt: new Date(120_000),
    cardSentAt: isCharge ? new Date(0) : null,
    hasCode: false,
    savePeriod: null,
    consent: null,
    declinedCount: 0,
    switchedCount: 0,
    isSbpOrder: false,
    lastDecline: null as FailureCode | null,
    cardAttemptsMax: null as number | null,
    leaseUntil: LEASE_MS,
    leaseNumber: 1,
    nextReadAt: LEASE_MS as number | null,
    readCount: 0,
  };
  /** The orders that were left behind: `declined_cards`. */
  const left: string[] = [];
  const returns: Return[] = [];
  const facts = { takenTwice: false, fenced: false, revoked: false, late: false, leftIsPaid: false };
  /** Of an exception: what is booked and gone, and what came in its place. */
  const exceptions = { isGone: false, replacements: new Map<string, bigint>() };

  function takeNow(): number {
    Object.assign(row, { leaseUntil: clock.now + LEASE_MS, leaseNumber: row.leaseNumber + 1 });
    return row.leaseNumber;
  }
  function take(statuses: (status: PaymentStatus) => boolean): number | undefined {
    return statuses(row.status) && row.leaseUntil <= clock.now ? takeNow() : undefined;
  }
  const fenceOf = (number: number, statuses: (status: PaymentStatus) => boolean): Fence => ({
    async ask() {
      const askedAt = clock.now;
      const isOurs = row.leaseNumber === number && statuses(row.status);
      const leftMs = isOurs ? Math.max(0, row.leaseUntil - clock.now - MARGIN_MS) : 0;
      if (leftMs === 0) facts.fenced = true;
      await clock.sleep(1);
      return { leftMs, ageMs: () => clock.now - askedAt };
    },
  });
  function release(number: number): void {
    if (row.leaseNumber === number) row.leaseUntil = 0;
  }

  function giveBack(taken: Taken, operationId = operationOf(row)): void {
    if (returns.some(({ taken: known }) => known.bankOperationId === taken.bankOperationId)) return;
    if (isNegativeEnd(row.status)) facts.late = true;
    else facts.takenTwice = true;
    if (left.includes(operationId)) facts.leftIsPaid = true;
    returns.push({ id: `return-${taken.bankOperationId}`, operationId, taken, state: 'open', attempts: 0, until: 0 });
  }

  /** `asked`: the order that the outcome is about. Of one that was left behind only its money matters. */
  function record(outcome: Outcome, { asked = operationOf(row), wasBooked = false } = {}): void {
    if (outcome.kind === 'fenced') return;
    if (asked !== operationOf(row)) {
      if (outcome.kind !== 'confirmed') return;
      for (const taken of [outcome, ...(outcome.alsoTaken ?? [])]) giveBack(taken, asked);
      return;
    }
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
    for (const taken of surplus) giveBack(taken);
  }

  /** `open-next-card.ts`. */
  function openNextOrder(to: WayToPay): void {
    const attempt = row.declinedCount + 1;
    left.push(operationOf(row));
    Object.assign(row, {
      status: 'SUBMITTED',
      operationId: laterOperationId(paymentId, attempt + 1, to),
      isSbpOrder: to === 'SBP',
      declinedCount: attempt,
      leaseNumber: row.leaseNumber + 1,
      leaseUntil: 0,
      bankOperationId: null,
      hasCode: false,
      cardSentAt: null,
      readCount: 0,
      nextReadAt: clock.now,
    });
  }

  function waitingUntil(): number {
    const end = row.expiresAt.getTime();
    return paysBySbp(row) ? Math.min(clock.now + QR_PAUSE_MS, end) : end;
  }

  /** As `transition.ts`. */
  function waitsForBuyer(outcome: Outcome): boolean {
    if (isCharge || row.status !== 'SUBMITTED' || row.cardSentAt !== null || clock.now >= row.expiresAt.getTime()) {
      return false;
    }
    return awaitsNextOrder(row) ? outcome.kind === 'registered' : outcome.kind !== 'pending';
  }

  function recordOne(outcome: Outcome, wasBooked: boolean): void {
    const now = new Date(clock.now);
    if (row.status === 'CREATED' && isKnownToBank(outcome)) row.status = 'SUBMITTED';
    const decision = decideOutcome(row, outcome, now);
    if (decision.kind === 'next-card') {
      row.lastDecline = decision.failureCode;
      openNextOrder('CARD');
      return;
    }
    if (decision.kind === 'next-way') {
      row.switchedCount += 1;
      openNextOrder(decision.to);
      return;
    }
    const waits = method === 'CARD' && waitsForBuyer(outcome);
    const isBooked = row.status === 'COMPLETED';
    if (!isBooked && outcome.kind === 'registered' && outcome.nspkUrl !== null) row.hasCode = true;
    if (!isBooked && 'bankOperationId' in outcome && outcome.bankOperationId !== null) row.bankOperationId = outcome.bankOperationId;
    const mayGoOn = outcome.kind === 'confirmed' && outcome.isOpenBesides === true;
    if (outcome.kind === 'pending' || isCharge) row.readCount = unhurried(row.readCount);
    row.nextReadAt = nextReadAt(row, now)?.getTime() ?? null;
    row.readCount += 1;
    if (waits) Object.assign(row, { readCount: 0, nextReadAt: waitingUntil() });
    if (decision.kind === 'complete') Object.assign(row, { status: 'COMPLETED', nextReadAt: mayGoOn ? clock.now : null });
    if (decision.kind === 'fail') row.status = decision.to;
    if (decision.kind === 'await-result') row.status = 'PENDING';
    if (decision.kind === 'late-success') giveBack(decision.confirmed);
    if (isTakenBack(row, outcome) && wasBooked) exceptions.isGone = true;
  }

  return {
    row,
    left,
    returns,
    facts,
    take,
    /** The right to register the next order: `takeNextOrderLease`. */
    takeForNextOrder(operationId: string): number | undefined {
      const isAwaited = row.operationId === operationId && awaitsNextOrder(row);
      return isAwaited && clock.now < row.expiresAt.getTime() ? take((status) => status === 'SUBMITTED') : undefined;
    },
    /** `takeForCard`, for a card that was typed when this many orders had been left. The lease's number. */
    takeForCard(declinedCount: number, cardAttemptsMax: number): number | undefined {
      const isReady = !row.isSbpOrder && row.status === 'SUBMITTED' && row.cardSentAt === null;
      const isOfOrder = row.declinedCount === declinedCount && (row.operationId === null || row.bankOperationId !== null);
      if (!isReady || !isOfOrder || clock.now >= row.expiresAt.getTime()) return undefined;
      const number = takeNow();
      Object.assign(row, {
        cardSentAt: new Date(clock.now),
        cardAttemptsMax,
        readCount: 0,
        nextReadAt: row.leaseUntil,
      });
      return number;
    },
    /** `revertIntent`. */
    revertIntent(number: number): void {
      if (row.status !== 'SUBMITTED' || row.leaseNumber !== number) return;
      Object.assign(row, {
        cardSentAt: null,
        cardAttemptsMax: null,
        leaseUntil: 0,
        nextReadAt: row.expiresAt.getTime(),
      });
    },
    /** The transaction of `choose-way.ts`. */
    leaveForSbp(declinedCount: number, cardAttemptsMax: number): boolean {
      if (row.declinedCount !== declinedCount || !mayChooseSbp(row, new Date(clock.now))) return false;
      record({ kind: 'switched', to: 'SBP' });
      row.cardAttemptsMax = cardAttemptsMax;
      return true;
    },
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
      const open = returns.filter(({ state, taken }) => state === 'open' || (state === 'failed' && isThere(taken.bankOperationId)));
      // Money that is to be given back can also be what came in the place of the booked money.
      const exceptional = new Map([
        ...[...exceptions.replacements].filter(([bankOperationId]) => isThere(bankOperationId)),
        ...open.map(({ taken }) => [taken.bankOperationId, taken.amountKopecks] as const),
      ]);
      return { booked, suspense: sum(exceptional.values()) };
    },
  };
}

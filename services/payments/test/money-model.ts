import type { PaymentStatus } from '@pay/contract/states.ts';
import { chargeSavedCard } from '../src/acquirers/t-bank/cards.ts';
import { cancelOrder, cancelOthers, createQr, readOrder } from '../src/acquirers/t-bank/orders.ts';
import { readRefund, refundPayment } from '../src/acquirers/t-bank/refunds.ts';
import type { AcquirerResult } from '../src/domain/acquiring/acquirer-result.ts';
import type { Fence } from '../src/domain/acquiring/fence.ts';
import { isNegativeEnd } from '../src/domain/payment/payment-status.ts';
import { createModelBank, SMOOTH, type Fate } from './model/model-bank.ts';
import { AMOUNT, createModelBooks, type Return } from './model/model-books.ts';
import { createVirtualClock } from './model/virtual-clock.ts';

export type History = {
  readonly kind: string;
  readonly fates: readonly Fate[];
  readonly looks: readonly [number, number];
  readonly payments: readonly { readonly at: number; readonly which: number }[];
  readonly notifications: readonly { readonly at: number; readonly which: number }[];
  readonly behind: { readonly from: number; readonly for: number };
  readonly withdrawnAt: number | undefined;
};

const EXPIRED = { kind: 'ended', failureCode: 'SESSION_EXPIRED' } as const;
const HISTORY_MS = 200_000;
/** As `read-back.ts`: after a call whose end was booked, and after one of which nobody knows. */
const CARD_LOST_MS = { answered: 5_000, unanswered: 60_000 } as const;
const isUnbooked = (status: PaymentStatus) => status !== 'COMPLETED' && status !== 'REFUNDED';

/**
 * One order at T-Bank in simulated time: the connector's own code, the real decisions, two replicas, a road on which calls are
 * late, lost and overtaken, and processes that stand still. At its end the road is smooth and the order is read back, as the
 * day's reconciliation does. Returns where the money is.
 */
export async function playHistory(operationId: string, history: History) {
  const clock = createVirtualClock();
  const { behind } = history;
  const bank = createModelBank(clock, () => clock.now >= behind.from && clock.now < behind.from + behind.for);
  const isCard = history.kind === 'charge';
  const books = createModelBooks(clock, isCard);
  const { row } = books;
  const fates = [...history.fates];
  const nextFate = () => fates.shift() ?? SMOOTH;
  const begin = (fence?: Fence) => bank.begin(nextFate, fence);

  const charge = { operationId, amountKopecks: AMOUNT, description: 'Month', cardToken: '1' };
  const order = { operationId, amountKopecks: AMOUNT, description: 'Tea', expiresAt: row.expiresAt, returnUrl: 'https://form.example/' }; // prettier-ignore
  const pay = (fence: Fence) => (isCard ? chargeSavedCard(begin(fence), charge) : createQr(begin(fence), order));

  /** `charge-saved-card.ts` and `submit-payment.ts`. */
  async function submit(number: number, isFirst: boolean): Promise<void> {
    const fence = books.fenceOf(number, books.isUndecided);
    let result: AcquirerResult | undefined;
    if (isCard && !isFirst) {
      const known = await readOrder(begin(), operationId);
      if (known.kind !== 'absent' && known.kind !== 'registered') result = known;
    }
    result ??= await pay(fence);
    books.record(result);
    if (result.kind !== 'fenced') books.release(number);
  }

  /** `read-back.ts`. */
  async function readBack(): Promise<void> {
    const { status, bankOperationId, cardSentAt } = row;
    const lostAt = CARD_LOST_MS[row.leaseUntil === 0 ? 'answered' : 'unanswered'];
    const wasBooked = status === 'COMPLETED';
    const result = await readOrder(begin(), operationId);
    const isPayable = result.kind === 'registered' || (result.kind === 'confirmed' && result.isOpenBesides === true);
    if (result.kind === 'registered' && isNegativeEnd(status)) {
      books.record(await books.underLease(isUnbooked, (fence) => cancelOrder(begin(fence), operationId)));
    } else if (isPayable && !books.isUndecided(status)) {
      const kept = bankOperationId ?? result.bankOperationId;
      books.record(await books.underLease(() => true, (fence) => cancelOthers(begin(fence), operationId, kept)), wasBooked); // prettier-ignore
    } else if (result.kind === 'registered' && cardSentAt !== null && clock.now > lostAt) {
      const cancelled = await books.underLease(isUnbooked, (fence) => cancelOrder(begin(fence), operationId));
      books.record(cancelled.kind === 'cancelled' ? { kind: 'ended', failureCode: 'PROCESSING_ERROR' } : cancelled);
    } else books.record(result, wasBooked);
  }

  /** `expire-payment.ts`. */
  async function expire(): Promise<void> {
    const last = await readOrder(begin(), operationId);
    const isWaiting = last.kind === 'registered' || last.kind === 'pending';
    if (!isWaiting || (last.kind === 'pending' && isCard)) {
      books.record(last.kind === 'absent' || last.kind === 'cancelled' ? EXPIRED : last);
      return;
    }
    const withdrawn = await books.underLease(isUnbooked, (fence) => cancelOrder(begin(fence), operationId));
    const isSaid = withdrawn.kind === 'confirmed' || withdrawn.kind === 'declined' || withdrawn.kind === 'fenced';
    books.record(isSaid || (withdrawn.kind === 'cancelled' && !isCard) ? withdrawn : EXPIRED);
  }

  /** `return-late-money.ts`. */
  async function giveBack(entry: Return): Promise<void> {
    entry.attempts += 1;
    entry.until = clock.now + 60_000;
    const attempt = entry.attempts;
    const { bankOperationId, amountKopecks } = entry.taken;
    const refund = { operationId: entry.id, originalOperationId: operationId, bankOperationId, amountKopecks };
    const fence: Fence = {
      leftMs: () =>
        Promise.resolve(
          entry.state === 'open' && entry.attempts === attempt ? Math.max(0, entry.until - clock.now - 5_000) : 0,
        ),
    };
    const known = attempt > 1 ? await readRefund(begin(), refund) : ({ kind: 'absent' } as const);
    const result = known.kind === 'absent' ? await refundPayment(begin(fence), refund) : known;
    if (entry.state !== 'open') return;
    if (result.kind === 'confirmed') entry.state = 'done';
    if (result.kind === 'declined') entry.state = 'failed';
  }

  /** The worker of one replica. */
  async function look(): Promise<void> {
    const due = books.returns.filter(({ state, until }) => state === 'open' && until <= clock.now);
    if (row.nextReadAt !== null && row.nextReadAt <= clock.now) {
      row.nextReadAt = clock.now + 60_000;
      if (books.isUndecided(row.status) && clock.now >= row.expiresAt.getTime()) {
        await expire();
        return;
      }
      const number = row.status === 'CREATED' ? books.take((status) => status === 'CREATED') : undefined;
      if (number !== undefined) await submit(number, false);
      else if (row.status !== 'CREATED') await readBack();
    }
    for (const entry of due) if (entry.until <= clock.now) await giveBack(entry);
  }
  async function work(everyMs: number): Promise<void> {
    while (clock.now < HISTORY_MS) {
      await clock.sleep(everyMs);
      // Each round is on its own: one that waits for the bank holds up no other replica, nor the next round.
      void look();
    }
  }
  async function later(at: number, what: () => void | Promise<void>): Promise<void> {
    await clock.sleep(at);
    await what();
  }

  const running = [submit(1, true), ...history.looks.map(work)];
  for (const { at, which } of history.payments) {
    running.push(later(at, () => { if (!isCard) bank.pay(which); })); // prettier-ignore
  }
  for (const { at, which } of history.notifications) {
    const tell = async () => {
      const told = bank.payments[which];
      if (told !== undefined && (isUnbooked(row.status) || told.PaymentId !== row.bankOperationId)) await readBack();
    };
    running.push(later(at, tell));
  }
  if (history.withdrawnAt !== undefined && !isCard) {
    const withdraw = async () => {
      if (row.status !== 'SUBMITTED') return;
      books.record(await books.underLease(isUnbooked, (fence) => cancelOrder(begin(fence), operationId)));
    };
    running.push(later(history.withdrawnAt, withdraw));
  }
  await clock.runUntil(HISTORY_MS + 200_000);
  // The end of the day: what is on its way has arrived, the road is smooth, and every operation is read back.
  fates.length = 0;
  for (let round = 1; round <= 6; round += 1) {
    running.push(readBack().then(look));
    await clock.runUntil(clock.now + 100_000);
  }
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const taken = bank.payments.filter(({ isTaken }) => isTaken);
  const { booked, suspense } = books.sums((id) =>
    bank.payments.some(({ PaymentId, left }) => PaymentId === id && left > 0n),
  );
  return {
    takenKopecks: sum(taken.map(({ Amount }) => Amount)),
    givenBackKopecks: sum(taken.map(({ Amount, left }) => Amount - left)),
    bookedKopecks: booked,
    suspenseKopecks: suspense,
    facts: books.facts,
  };
}

import type { PaymentStatus } from '@pay/contract/states.ts';
import { authorizeCard, chargeSavedCard } from '../src/acquirers/t-bank/cards.ts';
import { cancelOrder, cancelOthers, createQr, readOrder, registerOrder } from '../src/acquirers/t-bank/orders.ts';
import { readRefund, refundPayment } from '../src/acquirers/t-bank/refunds.ts';
import type { AcquirerResult } from '../src/domain/acquiring/acquirer-result.ts';
import type { Fence } from '../src/domain/acquiring/fence.ts';
import { canEnterCard } from '../src/domain/payment/card-entry.ts';
import { awaitsNextOrder, declinedOf, mayTryNextCard, operationOf } from '../src/domain/payment/next-card.ts';
import type { Outcome } from '../src/domain/payment/payment-outcome.ts';
import { isNegativeEnd, isOpen } from '../src/domain/payment/payment-status.ts';
import { paysBySbp } from '../src/domain/payment/sbp-order.ts';
import { laterOperationId } from '../src/use-cases/order/later-operation-id.ts';
import { AMOUNT, createModelBank } from './model/model-bank.ts';
import { createModelBooks, type Return } from './model/model-books.ts';
import { SMOOTH, type Fate } from './model/road.ts';
import { createVirtualClock } from './model/virtual-clock.ts';

/** What the buyer does on the page of a card payment whose point takes SBP, too. */
export type Press = {
  readonly what: 'SBP' | 'card' | 'send';
  readonly at: number;
  /** How long before that the page was loaded, and how long the process stands still between its read and its statement. */
  readonly loadedBefore: number;
  readonly frozen: number;
};
export type History = {
  /** `page`: a card payment that may be paid by SBP, too. */
  readonly kind: 'charge' | 'qr' | 'page';
  readonly fates: readonly Fate[];
  readonly looks: readonly [number, number];
  readonly presses: readonly Press[];
  /** Of each card that the bank gets, whether it is declined; and how many cards of a payment may be. */
  readonly declines: readonly boolean[];
  readonly cardAttempts: number;
  readonly payments: readonly { readonly at: number; readonly which: number }[];
  readonly notifications: readonly { readonly at: number; readonly which: number }[];
  readonly behind: { readonly from: number; readonly for: number };
  readonly takesWithdrawn: boolean;
  readonly withdrawnAt: number | undefined;
  /** When the buyer of a charge takes the consent back, and how long each answer of bindings takes, in turn. */
  readonly revokedAt: number | undefined;
  readonly consentsTake: readonly number[];
};

const METHODS = { charge: 'CARD_BINDING', qr: 'SBP_DYNAMIC_QR', page: 'CARD' } as const;
const EXPIRED = { kind: 'ended', failureCode: 'SESSION_EXPIRED' } as const;
const BY_BUYER = { kind: 'ended', failureCode: 'CANCELLED_BY_CUSTOMER' } as const;
const ABSENT = { kind: 'absent' } as const;
const HISTORY_MS = 200_000;
/** As `read-back.ts`: after a call whose end was booked, and after one of which nobody knows. */
const CARD_LOST_MS = { answered: 5_000, unanswered: 60_000 } as const;
/** As `look-for-next-order.ts`. */
const LOOK_MARGIN_MS = 60_000;
const CARD = { number: '4111111111111111', expiryMonth: 12, expiryYear: 2030, cvv: '123' };
const isUnbooked = (status: PaymentStatus) => status !== 'COMPLETED' && status !== 'REFUNDED';
const isUnclear = ({ kind }: AcquirerResult) => kind === 'unknown' || kind === 'not-sent' || kind === 'fenced';

/**
 * One payment at T-Bank in simulated time: the connector's own code, the real decisions, two replicas, a road on which calls are
 * late, lost and overtaken, and processes that stand still. At its end the road is smooth and its orders are read back, as the
 * day's reconciliation does. Returns where the money is.
 */
export async function playHistory(paymentId: string, history: History) {
  const clock = createVirtualClock();
  const { behind, cardAttempts } = history;
  const isBehind = () => clock.now >= behind.from && clock.now < behind.from + behind.for;
  const bank = createModelBank(clock, { ...history, isBehind });
  const [isCharge, isPage] = [history.kind === 'charge', history.kind === 'page'];
  const books = createModelBooks(clock, paymentId, METHODS[history.kind]);
  const { row } = books;
  const present = () => operationOf(row);
  const fates = [...history.fates];
  const nextFate = () => fates.shift() ?? SMOOTH;
  const begin = (fence?: Fence) => bank.begin(nextFate, fence);
  const withdraw = (asked: string) => books.underLease(isUnbooked, (fence) => cancelOrder(begin(fence), asked));

  const consentsTake = [...history.consentsTake];
  /** `send-charge.ts`: bindings is asked together with the lease. */
  const withConsent = (lease: Fence): Fence => ({
    async ask() {
      const asked = lease.ask();
      const stands = clock.now < (history.revokedAt ?? Infinity);
      await clock.sleep(consentsTake.shift() ?? 5);
      const answer = await asked;
      if (stands) return answer;
      books.facts.revoked = true;
      return { ...answer, leftMs: 0 };
    },
  });

  function pay(fence: Fence): Promise<AcquirerResult> {
    const order = {
      operationId: present(),
      amountKopecks: AMOUNT,
      description: 'Tea',
      expiresAt: row.expiresAt,
      returnUrl: 'https://form.example/',
    };
    if (isCharge) return chargeSavedCard(begin(withConsent(fence)), { ...order, cardToken: '1' });
    return paysBySbp(row) ? createQr(begin(fence), order) : registerOrder(begin(fence), order);
  }

  /** `charge-saved-card.ts` and `submit-payment.ts`. */
  async function submit(number: number, isFirst: boolean): Promise<void> {
    const asked = present();
    const fence = books.fenceOf(number, books.isUndecided);
    let result: AcquirerResult | undefined;
    if (isCharge && !isFirst) {
      const known = await readOrder(begin(), asked);
      if (known.kind !== 'absent' && known.kind !== 'registered') result = known;
    }
    result ??= await pay(fence);
    books.record(result, { asked });
    if (result.kind !== 'fenced') books.release(number);
  }

  /** `register-next-order.ts`. */
  async function registerNextOrder(): Promise<void> {
    const number = awaitsNextOrder(row) ? books.takeForNextOrder(present()) : undefined;
    if (number !== undefined) await submit(number, true);
  }

  /** `look-for-next-order.ts`: at this point both ways are offered. */
  async function lookForNextOrder(seen: typeof row, result: AcquirerResult): Promise<Outcome> {
    if (!isPage || !isOpen(seen.status)) return result;
    const { declinedCount, cardSentAt, expiresAt } = seen;
    if (result.kind === 'registered' || result.kind === 'cancelled') {
      if (cardSentAt !== null || clock.now + LOOK_MARGIN_MS < expiresAt.getTime()) return result;
      const to = seen.isSbpOrder ? 'CARD' : 'SBP';
      const next = await readOrder(begin(), laterOperationId(paymentId, declinedCount + 2, to));
      if (isUnclear(next)) return next;
      return next.kind === 'absent' ? result : { kind: 'switched', to, isFound: true };
    }
    const ends = result.kind === 'declined' && !mayTryNextCard(seen, result, new Date(clock.now + LOOK_MARGIN_MS));
    if (!ends || declinedOf(seen) + 2 > (seen.cardAttemptsMax ?? cardAttempts)) return result;
    const next = await readOrder(begin(), laterOperationId(paymentId, declinedCount + 2));
    if (isUnclear(next)) return next;
    return next.kind === 'absent' ? result : { ...result, hasNextOrder: true };
  }

  /** `read-back.ts`. */
  async function readBack(): Promise<void> {
    const seen = { ...row };
    const asked = operationOf(seen);
    books.record(await ask(seen, asked), { asked, wasBooked: seen.status === 'COMPLETED' });
    await registerNextOrder();
  }
  async function ask(seen: typeof row, asked: string): Promise<Outcome> {
    const { status, bankOperationId, cardSentAt } = seen;
    const result = await lookForNextOrder(seen, await readOrder(begin(), asked));
    const isRegistered = result.kind === 'registered';
    if (!isRegistered && !(result.kind === 'confirmed' && result.isOpenBesides === true)) return result;
    if (isRegistered && isNegativeEnd(status)) return withdraw(asked);
    if (!books.isUndecided(status)) {
      const kept = bankOperationId ?? result.bankOperationId;
      return books.underLease(
        () => true,
        (fence) => cancelOthers(begin(fence), asked, kept),
      );
    }
    const lostAt = (cardSentAt?.getTime() ?? Infinity) + CARD_LOST_MS[seen.leaseUntil === 0 ? 'answered' : 'unanswered'];
    if (!isRegistered || clock.now <= lostAt) return result;
    const cancelled = await withdraw(asked);
    return cancelled.kind === 'cancelled' ? { kind: 'ended', failureCode: 'PROCESSING_ERROR' } : cancelled;
  }

  /** `read-declined-order.ts`. */
  async function readLeft(asked: string): Promise<void> {
    books.record(await readOrder(begin(), asked), { asked });
  }

  /** `expire-payment.ts`. */
  async function expire(): Promise<void> {
    const seen = { ...row };
    const asked = operationOf(seen);
    books.record(await lastWord(seen, asked), { asked });
  }
  async function lastWord(seen: typeof row, asked: string): Promise<Outcome> {
    const last = await lookForNextOrder(seen, await readOrder(begin(), asked));
    if (last.kind === 'pending' && isCharge) return last;
    if (last.kind !== 'registered' && last.kind !== 'pending') {
      return last.kind === 'absent' || last.kind === 'cancelled' ? EXPIRED : last;
    }
    const withdrawn = await withdraw(asked);
    const isSaid = withdrawn.kind === 'confirmed' || withdrawn.kind === 'declined' || withdrawn.kind === 'fenced';
    return isSaid || (withdrawn.kind === 'cancelled' && history.kind === 'qr') ? withdrawn : EXPIRED;
  }

  /** `choose-way.ts` and `pay-by-card.ts`, for a page that was loaded when this many orders had been left. */
  async function press({ what, frozen }: Press, ordersLeft: number): Promise<void> {
    const seen = { ...row };
    if (seen.declinedCount !== ordersLeft) return;
    await clock.sleep(frozen);
    if (what === 'SBP') {
      if (books.leaveForSbp(seen.declinedCount, cardAttempts)) await registerNextOrder();
    } else if (what === 'card') await chooseCard(seen);
    else await sendCard(seen);
  }

  async function chooseCard(seen: typeof row): Promise<void> {
    if (!seen.isSbpOrder || seen.status !== 'SUBMITTED' || !seen.hasCode) return;
    const asked = operationOf(seen);
    const withdrawn = await withdraw(asked);
    if (isUnclear(withdrawn) || withdrawn.kind === 'absent') return;
    books.record(withdrawn, { asked });
    await registerNextOrder();
  }

  async function sendCard(seen: typeof row): Promise<void> {
    if (!canEnterCard(seen, new Date(clock.now))) return;
    const number = books.takeForCard(seen.declinedCount, cardAttempts);
    if (number === undefined) return;
    const asked = operationOf(seen);
    const authorization = { operationId: asked, card: CARD, saveCard: false, returnUrl: '', whenNotAuthenticated: 'DECLINE' } as const;
    const result = await authorizeCard(begin(books.fenceOf(number, books.isUndecided)), authorization);
    if (result.kind === 'not-sent' || result.kind === 'fenced') {
      books.revertIntent(number);
      return;
    }
    books.record(result, { asked });
    books.release(number);
    await registerNextOrder();
  }

  /** `cancel-by-buyer.ts`; of a code, the partner's way to withdraw it, too. */
  async function cancel(): Promise<void> {
    const seen = { ...row };
    if (seen.status !== 'SUBMITTED' || (!paysBySbp(seen) && seen.cardSentAt !== null)) return;
    const asked = operationOf(seen);
    if (!paysBySbp(seen)) books.record(BY_BUYER, { asked });
    else if (isPage && !seen.hasCode) return;
    const withdrawn = await withdraw(asked);
    books.record(isPage && withdrawn.kind === 'cancelled' ? BY_BUYER : withdrawn, { asked });
  }

  /** `way-of-order.ts`. */
  const laterSbpOrder = (operationId: string) =>
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => laterOperationId(paymentId, n, 'SBP')).find((id) => id === operationId);

  /** `return-late-money.ts`. */
  async function giveBack(entry: Return): Promise<void> {
    entry.attempts += 1;
    entry.until = clock.now + 60_000;
    const attempt = entry.attempts;
    const { bankOperationId, amountKopecks } = entry.taken;
    const isSbp = history.kind === 'qr' || entry.operationId === laterSbpOrder(entry.operationId);
    const refund = {
      operationId: entry.id,
      originalOperationId: entry.operationId,
      bankOperationId,
      amountKopecks,
      paidBy: isSbp ? 'SBP' : 'CARD',
      isRepeat: false,
      money: { paid: amountKopecks, returned: 0n, underWay: 0n, isAccepted: false },
    } as const;
    const fence: Fence = {
      ask() {
        const askedAt = clock.now;
        const isOurs = entry.state === 'open' && entry.attempts === attempt;
        const leftMs = isOurs ? Math.max(0, entry.until - askedAt - 5_000) : 0;
        return Promise.resolve({ leftMs, ageMs: () => clock.now - askedAt });
      },
    };
    const known = attempt > 1 ? await readRefund(begin(), refund) : ABSENT;
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
      else if (awaitsNextOrder(row)) await registerNextOrder();
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
    running.push(
      later(at, () => {
        if (!isCharge) bank.pay(which);
      }),
    );
  }
  for (const { at, which } of history.notifications) {
    const tell = async () => {
      const told = bank.payments.at(isPage ? -1 - which : which);
      if (told === undefined) return;
      if (books.left.includes(told.OrderId)) await readLeft(told.OrderId);
      else if (isUnbooked(row.status) || told.PaymentId !== row.bankOperationId) await readBack();
    };
    running.push(later(at, tell));
  }
  for (const pressed of history.presses) {
    const load = async () => {
      const ordersLeft = row.declinedCount;
      await clock.sleep(pressed.loadedBefore);
      await press(pressed, ordersLeft);
    };
    running.push(later(pressed.at - pressed.loadedBefore, load));
  }
  if (history.withdrawnAt !== undefined && !isCharge) running.push(later(history.withdrawnAt, cancel));
  await clock.runUntil(HISTORY_MS + 200_000);
  // The end of the day: what is on its way has arrived, the road is smooth, and every operation is read back.
  fates.length = 0;
  for (let round = 1; round <= 6; round += 1) {
    running.push(
      readBack()
        .then(() => Promise.all(books.left.map(readLeft)))
        .then(look),
    );
    await clock.runUntil(clock.now + 100_000);
  }
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const taken = bank.payments.filter(({ isTaken }) => isTaken);
  const { booked, suspense } = books.sums((id) => bank.payments.some(({ PaymentId, left }) => PaymentId === id && left > 0n));
  return {
    takenKopecks: sum(taken.map(({ Amount }) => Amount)),
    givenBackKopecks: sum(taken.map(({ Amount, left }) => Amount - left)),
    bookedKopecks: booked,
    suspenseKopecks: suspense,
    chargesLeftAt: bank.chargesLeftAt,
    ordersTaken: new Set(taken.map(({ OrderId }) => OrderId)).size,
    facts: { ...books.facts, switched: row.switchedCount, isPaidBySbp: booked > 0n && row.isSbpOrder },
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import { endOfDay, startOfDay } from '@pay/shared/time/day.ts';
import { findOurOperations, listUncomparedPayments } from '../../db/reconciliation/our-operations.ts';
import { findPayment, type Payment } from '../../db/payment/payments.ts';
import type { Reconciliation } from '../../db/reconciliation/reconciliations.ts';
import type { Deps } from '../../deps.ts';
import type { Pair, RegisterEntry } from '../../domain/reconciliation/reconciliation.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { divideTaken } from '../../domain/payment/taken.ts';
import { readBack } from '../payment/read-back.ts';

/** Pause between two orders: a comparison uses no more than ten requests a second of the bank's rate limit. */
const PAUSE_MS = 100;
/** Orders per batch. The run resumes after them, and other routes get their turn in between. */
const ORDERS_MAX = 500;
/** After so many orders in a row without an answer the bank itself is taken to be away. */
const SILENT_MAX = 3;

/** done: every order of the day was compared. more: some are left. unanswered: the bank says nothing clear about the ones that are left. */
export type DayRead = 'done' | 'more' | 'unanswered';

/**
 * Compares a day with a bank that offers no register (T-Bank sends a file). Each of our orders of that day is read back by the
 * ordinary rules, which find money that was taken more than once or returned without us, and is then compared with our books like
 * an entry of a register. Orders already compared in this run are not read again. ADR 0072.
 */
export async function readBackDay(
  deps: Deps,
  run: Reconciliation,
  save: (pairs: readonly Pair[]) => Promise<void>,
): Promise<DayRead> {
  const wanted = { run, from: startOfDay(run.day), to: endOfDay(run.day), after: undefined, isEveryOrder: true };
  const orders = await listUncomparedPayments(deps.db, wanted, ORDERS_MAX);
  let [unanswered, inARow] = [0, 0];
  for (const { operationId } of orders) {
    const outcome = await readBack(deps, operationId);
    const pair = await pairOf(deps, operationId, outcome);
    if (pair === undefined) {
      [unanswered, inARow] = [unanswered + 1, inARow + 1];
      if (inARow === SILENT_MAX) return 'unanswered';
    } else {
      inARow = 0;
      await save([pair]);
    }
    await wait(PAUSE_MS);
  }
  if (orders.length === ORDERS_MAX) return 'more';
  return unanswered > 0 ? 'unanswered' : 'done';
}

/** Both sides of an order, ours after the read. Undefined if the bank did not answer. */
async function pairOf(deps: Deps, operationId: string, outcome: Outcome): Promise<Pair | undefined> {
  const payment = await findPayment(deps.db, operationId);
  const [ours] = await findOurOperations(deps.db, [operationId]);
  if (payment === undefined || ours === undefined) throw new Error('a compared order is missing');
  switch (outcome.kind) {
    case 'unknown':
    case 'not-sent':
    case 'fenced':
      return undefined;
    case 'absent':
    case 'ended':
      // The order never reached the bank, and we booked no money: both sides agree.
      if (payment.bankOperationId === null && ours.money !== 'moved')
        return { ours, bank: entryOf(payment, 'absent', 'none') };
      return { ours, bank: undefined };
    case 'confirmed': {
      const { amountKopecks, currency } = divideTaken(payment, outcome).paying;
      return { ours, bank: { ...entryOf(payment, outcome.kind, 'moved'), amountKopecks, currency } };
    }
    default:
      // Money that we are refunding, or have refunded in full, was taken nevertheless.
      return {
        ours,
        bank: entryOf(payment, outcome.kind, payment.refundReservedKopecks > 0n ? 'moved' : moneyOf(outcome)),
      };
  }
}

const moneyOf = ({ kind }: Outcome): RegisterEntry['money'] => (kind === 'pending' ? 'open' : 'none');

function entryOf(payment: Payment, status: string, money: RegisterEntry['money']): RegisterEntry {
  return {
    operationId: payment.paymentId,
    bankOperationId: payment.bankOperationId ?? '',
    kind: 'PAYMENT',
    status,
    money,
    amountKopecks: payment.amountKopecks,
    currency: payment.currency,
    originalOperationId: null,
  };
}

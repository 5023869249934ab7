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

/** Between two orders, so that a day that is compared takes no more than ten orders a second of what the bank allows us. */
const PAUSE_MS = 100;
/** Orders in one go; the run is taken up again behind them, and other routes have their turn meanwhile. */
const ORDERS_MAX = 500;

/** done: every order of the day was read. more: there are others. unanswered: the bank does not answer at the moment. */
export type DayRead = 'done' | 'more' | 'unanswered';

/**
 * A day of a bank that has no register to read (T-Bank sends a file): every order of ours of that day is read back by the
 * ordinary rules, which find what was taken more than once or given back without us, and then compared with our books as an
 * entry of a register would be. What was compared before in this run is not asked about again. ADR 0072.
 */
export async function readBackDay(
  deps: Deps,
  run: Reconciliation,
  save: (pairs: readonly Pair[]) => Promise<void>,
): Promise<DayRead> {
  const wanted = { run, from: startOfDay(run.day), to: endOfDay(run.day), after: undefined, isEveryOrder: true };
  const orders = await listUncomparedPayments(deps.db, wanted, ORDERS_MAX);
  for (const { operationId } of orders) {
    const outcome = await readBack(deps, operationId);
    const pair = await pairOf(deps, operationId, outcome);
    if (pair === undefined) return 'unanswered';
    await save([pair]);
    await wait(PAUSE_MS);
  }
  return orders.length < ORDERS_MAX ? 'done' : 'more';
}

/** Both sides of an order, ours as it is after the read. Undefined when the bank said nothing. */
async function pairOf(deps: Deps, operationId: string, outcome: Outcome): Promise<Pair | undefined> {
  const payment = await findPayment(deps.db, operationId);
  const [ours] = await findOurOperations(deps.db, [operationId]);
  if (payment === undefined || ours === undefined) throw new Error('an order was compared that is not there');
  switch (outcome.kind) {
    case 'unknown':
    case 'not-sent':
    case 'fenced':
      return undefined;
    case 'absent':
    case 'ended':
      // It never got there, and we know of no money: both sides say the same.
      if (payment.bankOperationId === null && ours.money !== 'moved')
        return { ours, bank: entryOf(payment, 'absent', 'none') };
      return { ours, bank: undefined };
    case 'confirmed': {
      const { amountKopecks, currency } = divideTaken(payment, outcome).paying;
      return { ours, bank: { ...entryOf(payment, outcome.kind, 'moved'), amountKopecks, currency } };
    }
    default:
      // Money that our own refunds give back, or gave back whole, was taken all the same.
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
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import { endOfDay, startOfDay } from '@pay/shared/time/day.ts';
import {
  findOurOperations,
  listUncomparedDeclined,
  listUncomparedPayments,
  type OurOrder,
} from '../../db/reconciliation/our-operations.ts';
import { findPayment, type Payment } from '../../db/payment/payments.ts';
import type { Reconciliation } from '../../db/reconciliation/reconciliations.ts';
import type { Deps } from '../../deps.ts';
import type { Confirmed, Taken } from '../../domain/acquiring/acquirer-result.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import type { OurOperation, Pair, RegisterEntry } from '../../domain/reconciliation/reconciliation.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { isNegativeEnd } from '../../domain/payment/payment-status.ts';
import { divideTaken } from '../../domain/payment/taken.ts';
import { readBack } from '../payment/read-back.ts';
import { readDeclinedOrder } from '../payment/read-declined-order.ts';

/** Pause between two orders: a comparison uses no more than ten requests a second of the bank's rate limit. */
const PAUSE_MS = 100;
/** Orders per batch. The run resumes after them, and other routes get their turn in between. */
const ORDERS_MAX = 500;
/** After so many orders in a row without any answer the bank itself is taken to be away. */
const SILENT_MAX = 3;

/** done: every order of the day was compared. more: some are left. unanswered: the bank says nothing clear about the ones that are left. */
export type DayRead = 'done' | 'more' | 'unanswered';

/**
 * Compares a day with a bank that offers no register (T-Bank sends a file). Each of our orders of that day is read back by the
 * ordinary rules, which find money that was taken more than once or returned without us, and is then compared with our books like
 * an entry of a register. Orders already compared in this run are not read again. See decisions/reconciliation.
 */
export async function readBackDay(deps: Deps, run: Reconciliation, save: (pairs: readonly Pair[]) => Promise<void>): Promise<DayRead> {
  const wanted = { run, from: startOfDay(run.day), to: endOfDay(run.day), after: undefined, isEveryOrder: true };
  const orders = await listUncomparedPayments(deps.db, wanted, ORDERS_MAX);
  const declined = await listUncomparedDeclined(deps.db, wanted, ORDERS_MAX);
  let [unclear, silent] = [0, 0];
  const reads = [
    ...orders.map((order) => ({ order, read: () => readListed(deps, order) })),
    ...declined.map((order) => ({ order, read: () => readDeclinedOrder(deps, order) })),
  ];
  for (const { order, read } of reads) {
    const outcome = await read();
    const pair = await pairOf(deps, order, outcome);
    // Orders that are unclear each time stand side by side in a run that is taken up again: only silence is the bank's.
    silent = isSilence(outcome) ? silent + 1 : 0;
    if (silent === SILENT_MAX) return 'unanswered';
    if (pair === undefined) unclear += 1;
    else await save([pair]);
    await wait(PAUSE_MS);
  }
  if (orders.length === ORDERS_MAX || declined.length === ORDERS_MAX) return 'more';
  return unclear > 0 ? 'unanswered' : 'done';
}

/** The bank could not be asked, or did not answer. */
const isSilence = (outcome: Outcome): boolean => outcome.kind === 'not-sent' || (outcome.kind === 'unknown' && outcome.isAnswered !== true);

/**
 * Reads an order that was a payment's present one when it was listed. Unknown if another card's followed: the answer may be about that one.
 */
async function readListed(deps: Deps, { paymentId, operationId }: OurOrder): Promise<Outcome> {
  const outcome = await readBack(deps, paymentId);
  const payment = await findPayment(deps.db, paymentId);
  return payment !== undefined && operationOf(payment) === operationId ? outcome : { kind: 'unknown', isAnswered: true };
}

/** Both sides of an order, ours after the read. Undefined if the bank did not answer. */
async function pairOf(deps: Deps, { paymentId, operationId }: OurOrder, outcome: Outcome): Promise<Pair | undefined> {
  const payment = await findPayment(deps.db, paymentId);
  const [ours] = await findOurOperations(deps.db, [operationId]);
  if (payment === undefined || ours === undefined) throw new Error('a compared order is missing');
  const bank = bankSideOf(payment, ours, outcome);
  return bank === 'unanswered' ? undefined : { ours, bank };
}

/** What the bank says of an order; undefined if it does not know an order that it should know. */
function bankSideOf(payment: Payment, ours: OurOperation, outcome: Outcome): RegisterEntry | 'unanswered' | undefined {
  const entryOf = (status: string, money: RegisterEntry['money']) => entry(ours, payment.currency, status, money);
  const isPresent = operationOf(payment) === ours.operationId;
  switch (outcome.kind) {
    case 'unknown':
    case 'not-sent':
    case 'fenced':
      return 'unanswered';
    case 'absent':
    case 'ended':
      // The order never reached the bank, and we booked no money: both sides agree.
      return ours.bankOperationId === null && ours.money !== 'moved' ? entryOf('absent', 'none') : undefined;
    case 'confirmed': {
      const { amountKopecks, currency } = countedOf(payment, isPresent, outcome);
      return { ...entryOf(outcome.kind, 'moved'), amountKopecks, currency };
    }
    default:
      // Money that we are refunding, or have refunded in full, was taken nevertheless.
      return entryOf(outcome.kind, isPresent && payment.refundReservedKopecks > 0n ? 'moved' : moneyOf(outcome));
  }
}

const moneyOf = ({ kind }: Outcome): RegisterEntry['money'] => (kind === 'pending' ? 'open' : 'none');

/** What pays for the payment; of a declined order, and of a payment that ended unpaid, all that was taken: none of it pays for anything. */
function countedOf(payment: Payment, isPresent: boolean, confirmed: Confirmed): Pick<Taken, 'amountKopecks' | 'currency'> {
  if (isPresent && !isNegativeEnd(payment.status)) return divideTaken(payment, confirmed).paying;
  const { amountKopecks, currency, alsoTaken = [] } = confirmed;
  return { amountKopecks: alsoTaken.reduce((sum, taken) => sum + taken.amountKopecks, amountKopecks), currency };
}

function entry(
  { operationId, bankOperationId, amountKopecks }: OurOperation,
  currency: string,
  status: string,
  money: RegisterEntry['money'],
): RegisterEntry {
  return {
    operationId,
    bankOperationId: bankOperationId ?? '',
    kind: 'PAYMENT',
    status,
    money,
    amountKopecks,
    currency,
    originalOperationId: null,
  };
}

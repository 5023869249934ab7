import type { Tx } from '@pay/shared/postgres/db.ts';
import { insertLedgerTransaction } from '../../db/ledger/ledger.ts';
import { endMoneyReturn, insertMoneyReturn, insertReturned, type MoneyReturn } from '../../db/money-return/money-returns.ts';
import { resolveUnknown } from '../../db/reconciliation/exceptions.ts';
import { findOurOperations } from '../../db/reconciliation/our-operations.ts';
import type { Deps } from '../../deps.ts';
import { entriesForReturnedMoney } from '../../domain/ledger/ledger.ts';
import type { RegisterEntry } from '../../domain/reconciliation/reconciliation.ts';
import { returnIdOf } from './return-id.ts';

/** A refund of an unknown order that the bank made without us. */
export type BankRefund = Pick<RegisterEntry, 'operationId' | 'bankOperationId' | 'amountKopecks'>;

/** The order, which is the `paymentId` of its returns. */
type UnknownOrder = Pick<MoneyReturn, 'paymentId' | 'routeId'>;

/** Who resolves what the worker books. */
const WORKER = 'worker';

/**
 * Books out of suspense what the bank refunded of an unknown order, under ids by which every later comparison finds it.
 * See decisions/reconciliation.
 */
export async function bookReturned(
  tx: Tx,
  { paymentId, routeId }: UnknownOrder,
  refunds: readonly BankRefund[],
  resolvedBy: string,
): Promise<void> {
  for (const { operationId, bankOperationId, amountKopecks } of refunds) {
    const returnId = returnIdOf(routeId, operationId);
    const booking = { kind: 'LATE_SUCCESS_RETURNED' as const, referenceId: returnId };
    await insertLedgerTransaction(tx, booking, entriesForReturnedMoney(routeId, amountKopecks));
    await insertReturned(tx, { returnId, paymentId, routeId, why: 'UNKNOWN_ORDER', bankOperationId, amountKopecks });
    await resolveUnknown(tx, operationId, { note: `A refund of the unknown order ${paymentId}.`, resolvedBy });
  }
}

/**
 * What is in none of our books of these refunds, and what of the return's amount they leave. A return that the bank declined, and carried
 * out after all, is none of our books' either.
 */
export async function withoutBooked(
  tx: Tx,
  { routeId, amountKopecks }: MoneyReturn,
  refunds: readonly BankRefund[],
): Promise<{ readonly unbooked: readonly BankRefund[]; readonly leftKopecks: bigint }> {
  const ours = await findOurOperations(
    tx,
    refunds.map(({ operationId }) => returnIdOf(routeId, operationId)),
  );
  const known = new Set(ours.filter(({ money }) => money !== 'none').map(({ operationId }) => operationId));
  const unbooked = refunds.filter(({ operationId }) => !known.has(returnIdOf(routeId, operationId)));
  return { unbooked, leftKopecks: unbooked.reduce((left, refund) => left - refund.amountKopecks, amountKopecks) };
}

/** Opens the return of what is left after one that the bank declined. Nothing is opened if nothing is left. */
export async function openNextReturn(
  tx: Tx,
  declined: MoneyReturn,
  { returnId, leftKopecks }: { readonly returnId: string; readonly leftKopecks: bigint },
): Promise<void> {
  const { paymentId, routeId, why, bankOperationId } = declined;
  const next = { returnId, paymentId, routeId, why, bankOperationId, amountKopecks: leftKopecks };
  if (leftKopecks > 0n) await insertMoneyReturn(tx, next);
}

/**
 * The bank declined a return because it had refunded some of the order by then. Books those refunds, ends the return, and opens another one
 * of
 * what is left. False, and nothing is booked, if they are in our books already, or are more than was to be returned. The caller has locked
 * the return.
 */
export async function replaceReturn(
  { operationIds }: Pick<Deps, 'operationIds'>,
  tx: Tx,
  declined: MoneyReturn,
  refunds: readonly BankRefund[],
): Promise<boolean> {
  const { unbooked, leftKopecks } = await withoutBooked(tx, declined, refunds);
  if (unbooked.length === 0 || leftKopecks < 0n) return false;
  await bookReturned(tx, declined, unbooked, WORKER);
  await endMoneyReturn(tx, declined.returnId, 'FAILED');
  await openNextReturn(tx, declined, { returnId: operationIds.issue(), leftKopecks });
  return true;
}

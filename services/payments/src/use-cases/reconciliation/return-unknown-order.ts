import { renderRub } from '@pay/shared/money/money.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { insertLedgerTransaction } from '../../db/ledger/ledger.ts';
import { insertMoneyReturn, listMoneyReturns } from '../../db/money-return/money-returns.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { findException, resolveUnknown, saveResolution, type Exception } from '../../db/reconciliation/exceptions.ts';
import { listUnknownRefunds } from '../../db/reconciliation/reconciliations.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Confirmed } from '../../domain/acquiring/acquirer-result.ts';
import { entriesForLateSuccess } from '../../domain/ledger/ledger.ts';
import { bookReturned, openNextReturn, withoutBooked } from '../money-return/book-returned.ts';
import { confirmProposal } from '../proposal/propose.ts';
import { SecondPersonNeeded } from '../refund/refund-by-operator.ts';
import { readException } from './read-reconciliations.ts';
import {
  demandMoved,
  demandProposed,
  demandUnknown,
  demandWithinLimit,
  findUnknownOperation,
  notIssued,
  proposeOnce,
  resolved,
  type Proposed,
  type UnknownOperation,
  type UnknownOutcome,
} from './unknown-operation.ts';

/**
 * POST /operator/exceptions/{exceptionId}/return: the bank took money for an order that our books do not have, and nobody
 * claims it. The money is booked to suspense and returned to the buyer; what the bank refunded of it before is booked as
 * returned. See decisions/reconciliation. An order whose return the bank declined is returned again.
 * @throws ApiError as `findUnknownOperation`, `demandMoved`; STALE_REVISION if somebody else was faster
 */
export async function returnUnknownOrder(deps: ApiDeps, exceptionId: string, operator: Operator): Promise<UnknownOutcome> {
  try {
    return { kind: 'done', exception: await give(deps, exceptionId, operator) };
  } catch (error) {
    if (!(error instanceof SecondPersonNeeded)) throw error;
    const asked = { amount: renderRub(error.amountKopecks) };
    return proposeOnce(deps, operator, { kind: 'RETURN', subjectId: exceptionId, asked });
  }
}

/**
 * Carries out a proposal, which is confirmed in the same transaction. @throws ApiError as `confirmProposal`, `returnUnknownOrder`,
 * `demandProposed`
 */
export async function confirmReturn(deps: ApiDeps, proposal: Proposed, operator: Operator): Promise<void> {
  await give(deps, proposal.subjectId, operator, proposal);
}

async function give(deps: ApiDeps, exceptionId: string, operator: Operator, proposal?: Proposed): Promise<Exception> {
  if (await returnAgain(deps, exceptionId, operator)) return readException(deps, exceptionId);
  const order = await findUnknownOperation(deps, exceptionId);
  if (order.kind !== 'PAYMENT') throw new ApiError('NOT_FOUND', { text: 'this is a refund: book it' });
  const taken = demandMoved(await order.acquirer.read(order.operationId));
  await inTransaction(deps.db, async (tx) => {
    if (proposal !== undefined) await confirmProposal(tx, operator, proposal.proposalId);
    const left = await bookUnknown(deps, tx, order, { taken, operator });
    if (proposal !== undefined) demandProposed(proposal, left);
    else await demandWithinLimit(tx, deps, operator, { partnerId: undefined, amountKopecks: left });
  });
  return readException(deps, exceptionId);
}

/**
 * For an unknown order whose return the bank declined: books what comparisons have found as refunded since, and opens another return of
 * what is left. It was within a limit, or confirmed, the first time. False for any other exception.
 */
async function returnAgain({ db, operationIds }: ApiDeps, exceptionId: string, { login: operator }: Operator): Promise<boolean> {
  const exception = await findException(db, exceptionId);
  if (exception?.kind !== 'RETURN_FAILED' || exception.paymentId !== null) return false;
  const { operationId } = exception;
  if (!operationIds.isIssued(operationId)) throw notIssued();
  await inTransaction(db, async (tx) => {
    const note = 'Returned again: what the bank refunded meanwhile is booked.';
    if ((await saveResolution(tx, exceptionId, { note, resolvedBy: operator })) === undefined) throw resolved();
    const failed = (await listMoneyReturns(tx, operationId)).filter(({ status }) => status === 'FAILED');
    // An earlier version named none: then there is one.
    const declined = failed.find(({ returnId }) => returnId === exception.finding) ?? failed[0];
    if (declined === undefined) throw new Error('an exception names a missing return');
    const refunds = await listUnknownRefunds(tx, declined.routeId, operationId);
    const { unbooked, leftKopecks } = await withoutBooked(tx, declined, refunds);
    if (leftKopecks < 0n) throw tooMuch();
    await bookReturned(tx, declined, unbooked, operator);
    await openNextReturn(tx, declined, { returnId: operationIds.issue(), leftKopecks });
    const after = { refunded: renderRub(declined.amountKopecks - leftKopecks), returned: renderRub(leftKopecks) };
    await insertAction(tx, { operator, action: 'exception.return', subjectId: operationId, before: null, after });
  });
  return true;
}

const tooMuch = () => new ApiError('REFUND_NOT_ALLOWED', { text: 'the bank has refunded more than it took' });

/** Books all that was taken to suspense, and opens the return of what is left of it, which is the result. */
async function bookUnknown(
  { operationIds }: ApiDeps,
  tx: Tx,
  order: UnknownOperation,
  { taken, operator }: { readonly taken: Confirmed; readonly operator: Operator },
): Promise<bigint> {
  const { operationId: paymentId, routeId } = order;
  const refunds = await listUnknownRefunds(tx, routeId, paymentId);
  const refunded = refunds.reduce((sum, { amountKopecks }) => sum + amountKopecks, 0n);
  const left = taken.amountKopecks - refunded;
  if (left < 0n) throw tooMuch();
  const note = `Booked to suspense; ${renderRub(left)} RUB goes back to the buyer.`;
  const resolution = { note, resolvedBy: operator.login };
  if (!(await resolveUnknown(tx, paymentId, resolution))) throw resolved();
  await demandUnknown(tx, paymentId);
  await insertLedgerTransaction(tx, { kind: 'UNKNOWN_ORDER', referenceId: paymentId }, entriesForLateSuccess(routeId, taken.amountKopecks));
  const money = { paymentId, routeId, why: 'UNKNOWN_ORDER' as const };
  await bookReturned(tx, money, refunds, operator.login);
  const { bankOperationId } = taken;
  if (left > 0n) await insertMoneyReturn(tx, { ...money, returnId: operationIds.issue(), bankOperationId, amountKopecks: left });
  await insertAction(tx, {
    operator: operator.login,
    action: 'exception.return',
    subjectId: paymentId,
    before: null,
    after: { taken: renderRub(taken.amountKopecks), refunded: renderRub(refunded), returned: renderRub(left) },
  });
  return left;
}

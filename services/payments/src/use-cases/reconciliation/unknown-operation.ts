import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { addAlone } from '../../db/proposal/one-person-totals.ts';
import { findOpenProposal, type Proposal } from '../../db/proposal/proposals.ts';
import { findException, lockException, type Exception, type FoundException } from '../../db/reconciliation/exceptions.ts';
import { findOurOperations } from '../../db/reconciliation/our-operations.ts';
import { findItem, type ReconciliationItem } from '../../db/reconciliation/reconciliations.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import type { ApiDeps, Deps } from '../../deps.ts';
import type { AcquirerResult, Confirmed, Declined } from '../../domain/acquiring/acquirer-result.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { propose } from '../proposal/propose.ts';
import { SecondPersonNeeded } from '../refund/refund-by-operator.ts';

/** An operation of the bank's register that our books do not have, and the bank to ask about it. */
export type UnknownOperation = ReconciliationItem & { readonly acquirer: Acquirer };

export type UnknownOutcome =
  | { readonly kind: 'done'; readonly exception: Exception }
  /** Above what one person with this role may refund: a second one must confirm first. */
  | { readonly kind: 'proposed'; readonly proposal: Proposal };

/**
 * Counts the amount with what this person booked for the same partner, or returned, alone today.
 * @throws SecondPersonNeeded if together they are above the limit of the role. See decisions/reconciliation
 */
export async function demandWithinLimit(
  tx: Tx,
  { refundLimits }: Pick<ApiDeps, 'refundLimits'>,
  { login: operator, role }: Operator,
  alone: Omit<Parameters<typeof addAlone>[1], 'operator'>,
): Promise<void> {
  if (!(await addAlone(tx, { operator, ...alone }, refundLimits[role]))) throw new SecondPersonNeeded(alone.amountKopecks);
}

/**
 * Proposes what takes a second person. Asked for again, it is the same proposal, as long as that can be confirmed.
 * @throws ApiError STALE_REVISION if the exception was resolved meanwhile
 */
export async function proposeOnce(
  { db }: Pick<Deps, 'db'>,
  operator: Operator,
  wanted: Pick<Proposal, 'subjectId' | 'asked'> & { readonly kind: 'BOOK' | 'RETURN' },
): Promise<UnknownOutcome> {
  return inTransaction(db, async (tx) => {
    // Whoever proposes the same at the same time waits.
    if ((await lockException(tx, wanted.subjectId))?.status !== 'OPEN') throw resolved();
    const proposal = (await findOpenProposal(tx, wanted)) ?? (await propose(tx, operator, wanted));
    return { kind: 'proposed', proposal };
  });
}

/** What a second person confirms: the proposal, as it was shown to them. */
export type Proposed = Pick<Proposal, 'proposalId' | 'subjectId' | 'asked'>;

/**
 * The second person confirms an amount, not whatever the bank names by then.
 * @throws ApiError STALE_REVISION if it is another amount now: then it is proposed again
 */
export function demandProposed({ asked }: Proposed, amountKopecks: bigint): void {
  if (asked.amount !== renderRub(amountKopecks))
    throw new ApiError('STALE_REVISION', { text: `it is ${renderRub(amountKopecks)} RUB by now: propose it again` });
}

/** What the bank calls an operation that can be booked or returned; null if it cannot. It only says so: `findUnknownOperation` decides. */
export function unknownKindOf(
  { operationIds }: Pick<Deps, 'operationIds'>,
  { kind, status, operationId, operationKind }: FoundException,
): 'PAYMENT' | 'REFUND' | null {
  const isOurs = kind === 'MISSING_HERE' && status === 'OPEN' && operationIds.isIssued(operationId);
  return isOurs && operationKind !== 'RETURN' ? operationKind : null;
}

/**
 * The operation of an exception that says that we do not know it. Only one whose id this installation issued is found: whatever else
 * the account was used for, by another installation too, stays as it is.
 * @throws ApiError NOT_FOUND; STALE_REVISION if the exception is resolved
 */
export async function findUnknownOperation(deps: Deps, exceptionId: string): Promise<UnknownOperation> {
  const exception = await findException(deps.db, exceptionId);
  if (exception?.kind !== 'MISSING_HERE') throw notFound();
  const { operationId, routeId, day, status } = exception;
  if (!deps.operationIds.isIssued(operationId)) throw notIssued();
  if (routeId === null || day === null) throw notFound();
  if (status !== 'OPEN') throw resolved();
  const item = await findItem(deps.db, { routeId, day }, operationId);
  const acquirer = await findAcquirer(deps, routeId);
  if (item === undefined || acquirer === undefined) throw notFound();
  return { ...item, acquirer };
}

const notFound = () => new ApiError('NOT_FOUND', { text: 'there is no operation with an id of ours that we do not know' });
/** Whose money it is, is another installation's business: it has the operation in its books. */
export const notIssued = () =>
  new ApiError('NOT_FOUND', {
    text: 'this installation did not issue the id of this operation: leave its money alone',
  });
export const resolved = () => new ApiError('STALE_REVISION', { text: 'this exception is resolved already' });

/** @throws ApiError STALE_REVISION if our books have the operation by now */
export async function demandUnknown(reader: Reader, operationId: string): Promise<void> {
  const [ours] = await findOurOperations(reader, [operationId]);
  if (ours !== undefined) throw new ApiError('STALE_REVISION', { text: 'our books have this operation by now' });
}

/** What the bank says now: it declined. @throws ApiError OUTCOME_UNKNOWN without an answer; REFUND_NOT_ALLOWED for anything else */
export function demandDeclined<Code>(result: AcquirerResult<Code>): Declined<Code> {
  if (isSilent(result)) throw unanswered();
  if (result.kind !== 'declined')
    throw new ApiError('REFUND_NOT_ALLOWED', { text: 'the bank has not declined an earlier card of this payment' });
  return result;
}

const isSilent = ({ kind }: { readonly kind: string }) => kind === 'unknown' || kind === 'not-sent' || kind === 'fenced';
const unanswered = () => new ApiError('OUTCOME_UNKNOWN', { text: 'the bank does not answer' });

/** What the bank says now: rubles that moved. @throws ApiError OUTCOME_UNKNOWN without an answer; REFUND_NOT_ALLOWED for anything else */
export function demandMoved<Code>(result: AcquirerResult<Code>): Confirmed {
  if (isSilent(result)) throw unanswered();
  if (result.kind !== 'confirmed' || result.currency !== 'RUB')
    throw new ApiError('REFUND_NOT_ALLOWED', { text: 'the bank has moved no rubles with this operation' });
  return result;
}

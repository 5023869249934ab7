import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { findException, saveResolution, type Exception } from '../../db/reconciliation/exceptions.ts';
import { findNamedOrder } from '../../db/payment/declined-cards.ts';
import { findRefund } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import { readBack } from '../payment/read-back.ts';
import { readDeclinedOrder } from '../payment/read-declined-order.ts';
import { readBackRefund } from '../refund/send-refund.ts';

/**
 * POST /operator/exceptions/{exceptionId}/settle: records what an operator did about it. Moves no money and changes no
 * other state. @throws ApiError NOT_FOUND; STALE_REVISION if it was already resolved
 */
export async function resolveException(
  deps: Deps,
  exceptionId: string,
  given: { readonly note: string; readonly operator: OperatorLogin },
): Promise<Exception> {
  const known = await findException(deps.db, exceptionId);
  if (known === undefined) throw new ApiError('NOT_FOUND');
  const { note, operator: resolvedBy } = given;
  const resolved = await inTransaction(deps.db, (tx) => saveResolution(tx, exceptionId, { note, resolvedBy }));
  if (resolved === undefined) throw new ApiError('STALE_REVISION', { text: 'this exception is resolved already' });
  return resolved;
}

/**
 * POST /operator/exceptions/{exceptionId}/read-back: asks the bank about the operation now and books the answer by the
 * ordinary rules, including those for a late success and for the order of a declined card. The exception stays open until an operator
 * resolves it.
 * @throws ApiError NOT_FOUND, also if the operation is not ours
 */
export async function readBackException(deps: Deps, exceptionId: string, operator: OperatorLogin): Promise<Exception> {
  const exception = await findException(deps.db, exceptionId);
  if (exception?.paymentId === undefined || exception.paymentId === null) {
    throw new ApiError('NOT_FOUND', { text: 'there is no operation of ours to ask about' });
  }
  const { paymentId, operationId } = exception;
  deps.log.info('an operator asked the bank about an operation', { operationId, paymentId, operator });
  const named = await findNamedOrder(deps.db, operationId);
  if (named.kind === 'declined') await readDeclinedOrder(deps, named.card);
  else if (named.paymentId === paymentId) await readBack(deps, paymentId);
  else if ((await findRefund(deps.db, operationId)) !== undefined) {
    await readBackRefund(deps, operationId);
  } else throw new ApiError('NOT_FOUND', { text: 'a return is followed up by itself' });
  return exception;
}

import type { Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { appendHistory } from '../db/history.ts';
import { findOperation, insertOperation, sumOfRefunds } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import type { Operation } from '../domain/operation.ts';
import { decideRefund } from '../domain/outcome.ts';
import { lockCurrent, move } from './current-operation.ts';
import { fingerprint, requireSameRequest } from './fingerprint.ts';

export type RefundPayment = {
  readonly operationId: string;
  readonly originalOperationId: string;
  readonly amountKopecks: bigint;
};

/**
 * POST /v1/refunds. The payment's row lock serialises its refunds, so their sum never exceeds what was paid.
 * @throws ApiError NOT_FOUND, REFUND_NOT_ALLOWED, REFUND_AMOUNT_EXCEEDED: then nothing is stored.
 */
export async function refundPayment(deps: Deps, command: RefundPayment): Promise<Operation> {
  const { operationId, originalOperationId, amountKopecks } = command;
  const requestSha256 = fingerprint('REFUND', [originalOperationId, amountKopecks]);
  return inTransaction(deps.db, async (tx) => {
    const payment = await lockCurrent(tx, originalOperationId, await clock(tx));
    const known = await findOperation(tx, operationId);
    if (known !== undefined) return repeated(tx, known, requestSha256);

    const decision = decideRefund(payment, await sumOfRefunds(tx, originalOperationId), amountKopecks);
    if (decision.kind === 'refuse') throw new ApiError(decision.code);
    const refund = await insertOperation(tx, {
      operationId,
      originalOperationId,
      amountKopecks,
      currency: payment.currency,
      description: payment.description,
      bankOperationId: deps.newId(),
      kind: 'REFUND',
      method: payment.method,
      status: 'REGISTERED',
      cardMask: payment.cardMask,
      cardExpiry: payment.cardExpiry,
      requestSha256,
    });
    // The same refund id at the same time for another payment, whose row is not locked here.
    if (refund === undefined) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
    await appendHistory(tx, operationId, [{ event: 'REQUESTED', detail: 'refund' }]);
    return move(tx, refund, decision.verdict.move);
  });
}

async function repeated(tx: Tx, known: Operation, requestSha256: string): Promise<Operation> {
  requireSameRequest(known, requestSha256);
  await appendHistory(tx, known.operationId, [{ event: 'REQUESTED', detail: 'refund' }]);
  return known;
}

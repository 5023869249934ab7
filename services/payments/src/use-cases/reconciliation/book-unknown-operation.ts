import { randomBytes } from 'node:crypto';
import type { BookException } from '@pay/contract/operator/exceptions.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { isMissed } from '@pay/shared/postgres/fast/value-if.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { findPoint } from '../../db/merchant/payment-points.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { findNamedOrder } from '../../db/payment/declined-cards.ts';
import { findPayment, insertPayment, lockPayment } from '../../db/payment/payments.ts';
import { resolveUnknown, type Exception } from '../../db/reconciliation/exceptions.ts';
import type { Deps } from '../../deps.ts';
import type { Confirmed } from '../../domain/acquiring/acquirer-result.ts';
import { recordOutcome } from '../payment/record-outcome.ts';
import { openStatements } from '../refund/open-refund.ts';
import { recordRefundOutcome } from '../refund/record-refund-outcome.ts';
import { readException } from './read-reconciliations.ts';
import {
  demandMoved,
  demandUnknown,
  findUnknownOperation,
  resolved,
  type UnknownOperation,
} from './unknown-operation.ts';

type Booking = { readonly order: BookException['order']; readonly operator: OperatorLogin };

/**
 * POST /operator/exceptions/{exceptionId}/book: takes an operation that only the bank knows back into our books, under the id
 * that we had given it. It is stored as an operation in progress; then the ordinary rules book what the bank says about it and
 * tell the partner. ADR 0212.
 * @throws ApiError as `findUnknownOperation`, `demandMoved`; VALIDATION_FAILED for a payment without its order; NOT_FOUND for a refund
 * of a payment that we do not know either; DUPLICATE_ORDER if the partner has repeated the order; STALE_REVISION if somebody else was faster
 */
export async function bookUnknownOperation(deps: Deps, exceptionId: string, booking: Booking): Promise<Exception> {
  const unknown = await findUnknownOperation(deps, exceptionId);
  if (unknown.kind === 'PAYMENT') await bookPayment(deps, unknown, booking);
  else await bookRefund(deps, unknown, booking);
  return readException(deps, exceptionId);
}

async function bookPayment(deps: Deps, unknown: UnknownOperation, { order, operator }: Booking): Promise<void> {
  if (order === undefined) throw invalidField('order', 'is required for a payment');
  const point = await findPoint(deps.db, order.paymentPointID);
  if (point === undefined) throw invalidField('order.paymentPointID', 'is not a payment point');
  const { operationId: paymentId, routeId } = unknown;
  const taken = demandMoved(await unknown.acquirer.read(paymentId));
  await inTransaction(deps.db, async (tx) => {
    await claim(tx, unknown, taken, operator);
    const now = await clock(tx);
    await insertPayment(tx, {
      paymentId,
      partnerId: point.partnerId,
      paymentPointId: point.paymentPointId,
      routeId,
      method: order.paymentMethod,
      merchantOrderId: order.merchantOrderId,
      amountKopecks: taken.amountKopecks,
      description: 'Booked from the bank’s register',
      customerId: order.customerID,
      feeBasisPoints: point.feeBasisPoints,
      status: 'SUBMITTED',
      checkoutToken: randomBytes(32).toString('base64url'),
      expiresAt: new Date(now.getTime() + point.sessionMinutes * 60_000),
      bankOperationId: taken.bankOperationId,
      // The worker books it if this process dies before it does.
      nextReadAt: now,
    });
  }).catch((error: unknown) => {
    if (violatedConstraint(error) === 'payments_merchant_order') throw new ApiError('DUPLICATE_ORDER');
    throw error;
  });
  await recordOutcome(deps, { paymentId, operationId: null }, taken);
}

async function bookRefund(deps: Deps, unknown: UnknownOperation, { operator }: Booking): Promise<void> {
  const { operationId: refundId, originalOperationId, bankOperationId, bankAmountKopecks } = unknown;
  if (originalOperationId === null || bankAmountKopecks === null) throw unknownPayment();
  const order = await findNamedOrder(deps.db, originalOperationId);
  // What the bank took for a declined order is returned, never refunded.
  if (order.kind === 'declined') throw unknownPayment();
  const { paymentId } = order;
  if ((await findPayment(deps.db, paymentId)) === undefined) throw unknownPayment();
  const asked = {
    operationId: refundId,
    originalOperationId,
    bankOperationId,
    amountKopecks: bankAmountKopecks,
  };
  const result = demandMoved(await unknown.acquirer.readRefund(asked));
  const { amountKopecks } = result;
  await inTransaction(deps.db, async (tx) => {
    await claim(tx, unknown, result, operator);
    const payment = await lockPayment(tx, paymentId);
    const now = await clock(tx);
    const { partnerId } = payment;
    const values = {
      refundId,
      paymentId,
      partnerId,
      merchantRefundId: null,
      amountKopecks,
      reason: null,
      receipt: null,
    };
    await Promise.all(openStatements(tx, payment, { ...values, nextReadAt: now }, now));
  }).catch((error: unknown) => {
    if (isMissed(error))
      throw new ApiError('REFUND_NOT_ALLOWED', {
        text: 'in our books the payment is not COMPLETED, or less is left of it',
      });
    throw error;
  });
  await recordRefundOutcome(deps, refundId, result);
}

const unknownPayment = () =>
  new ApiError('NOT_FOUND', { text: 'we do not know the payment of this refund: book or return that first' });

async function claim(
  tx: Tx,
  { operationId }: UnknownOperation,
  taken: Confirmed,
  operator: OperatorLogin,
): Promise<void> {
  const resolution = { note: 'Booked as the bank has it.', resolvedBy: operator };
  if (!(await resolveUnknown(tx, operationId, resolution))) throw resolved();
  await demandUnknown(tx, operationId);
  const after = { amount: renderRub(taken.amountKopecks) };
  await insertAction(tx, { operator, action: 'exception.book', subjectId: operationId, before: null, after });
}

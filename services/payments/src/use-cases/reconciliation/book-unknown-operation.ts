import { randomBytes } from 'node:crypto';
import type { BookException } from '@pay/contract/operator/exceptions.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { isMissed } from '@pay/shared/postgres/fast/value-if.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { listPointAcquiringRoutes } from '../../db/merchant/point-acquiring-routes.ts';
import { findPoint } from '../../db/merchant/payment-points.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { findNamedOrder, insertDeclinedCard } from '../../db/payment/declined-cards.ts';
import { findPayment, insertPayment, lockPayment } from '../../db/payment/payments.ts';
import { resolveUnknown, type Exception } from '../../db/reconciliation/exceptions.ts';
import type { ApiDeps } from '../../deps.ts';
import { laterOperationId } from '../order/later-operation-id.ts';
import { recordOutcome } from '../payment/record-outcome.ts';
import { wayOfOrder } from '../order/way-of-order.ts';
import { confirmProposal } from '../proposal/propose.ts';
import { openStatements } from '../refund/open-refund.ts';
import { SecondPersonNeeded } from '../refund/refund-by-operator.ts';
import { recordRefundOutcome } from '../refund/record-refund-outcome.ts';
import { readException } from './read-reconciliations.ts';
import {
  demandDeclined,
  demandMoved,
  demandProposed,
  demandUnknown,
  demandWithinLimit,
  findUnknownOperation,
  proposeOnce,
  resolved,
  type Proposed,
  type UnknownOperation,
  type UnknownOutcome,
} from './unknown-operation.ts';

/** The attempts that a payment may have after its first card. See decisions/orders-of-a-payment. */
const LATER_CARDS = [2, 3, 4, 5];

type Booking = {
  readonly asked: BookException;
  readonly operator: Operator;
  /** What is confirmed with the booking, if it takes two people. */
  readonly proposal?: Proposed;
};

/**
 * POST /operator/exceptions/{exceptionId}/book: takes an operation that only the bank knows back into our books, under the id
 * that we had given it. It is stored as an operation in progress; then the ordinary rules book what the bank says about it and
 * tell the partner. A payment credits whom the operator names: above what their role may refund alone, with what they booked for the same
 * partner today, it is only proposed. See decisions/reconciliation.
 * @throws ApiError as `findUnknownOperation`, `demandMoved`; VALIDATION_FAILED for a payment without its order, or whose point does not
 * have the operation's route; NOT_FOUND for a refund
 * of a payment that we do not know either; DUPLICATE_ORDER if the partner has repeated the order or the refund; REFUND_NOT_ALLOWED if the
 * bank has not declined the earlier cards; STALE_REVISION if somebody else was faster
 */
export async function bookUnknownOperation(
  deps: ApiDeps,
  exceptionId: string,
  asked: BookException,
  operator: Operator,
): Promise<UnknownOutcome> {
  try {
    return { kind: 'done', exception: await book(deps, exceptionId, { asked, operator }) };
  } catch (error) {
    if (!(error instanceof SecondPersonNeeded)) throw error;
    const proposed = { ...asked, amount: renderRub(error.amountKopecks) };
    return proposeOnce(deps, operator, { kind: 'BOOK', subjectId: exceptionId, asked: proposed });
  }
}

/**
 * Carries out a proposal, which is confirmed in the same transaction. @throws ApiError as `confirmProposal`, `bookUnknownOperation`,
 * `demandProposed`
 */
export async function confirmBooking(deps: ApiDeps, proposal: Proposed, asked: BookException, operator: Operator): Promise<void> {
  await book(deps, proposal.subjectId, { asked, operator, proposal });
}

async function book(deps: ApiDeps, exceptionId: string, booking: Booking): Promise<Exception> {
  const unknown = await findUnknownOperation(deps, exceptionId);
  if (unknown.kind === 'PAYMENT') await bookPayment(deps, unknown, booking);
  else await bookRefund(deps, unknown, booking);
  return readException(deps, exceptionId);
}

async function bookPayment(deps: ApiDeps, unknown: UnknownOperation, booking: Booking): Promise<void> {
  const { asked, operator, proposal } = booking;
  const { order, merchantRefundId } = asked;
  if (order === undefined) throw invalidField('order', 'is required for a payment');
  if (merchantRefundId !== undefined) throw invalidField('merchantRefundId', 'is for a refund');
  const point = await findPoint(deps.db, order.paymentPointID);
  if (point === undefined) throw invalidField('order.paymentPointID', 'is not a payment point');
  const { operationId: paidId, routeId } = unknown;
  const { paymentId = paidId } = order;
  const operationId = paymentId === paidId ? null : paidId;
  const { partnerId, paymentPointId } = point;
  const { merchantOrderId, paymentMethod: method } = order;
  const routes = await listPointAcquiringRoutes(deps.db, paymentPointId, method);
  if (!routes.some((route) => route.routeId === routeId))
    throw invalidField('order.paymentPointID', `does not take this method over the route ${routeId}`);
  const earlier = await readEarlierCards(unknown, paymentId);
  const taken = demandMoved(await unknown.acquirer.read(paidId));
  const { amountKopecks } = taken;
  await inTransaction(deps.db, async (tx) => {
    if (proposal !== undefined) {
      await confirmProposal(tx, operator, proposal.proposalId);
      demandProposed(proposal, amountKopecks);
    }
    const booked = { paymentId, partnerId, paymentPointId, merchantOrderId, method, amount: renderRub(amountKopecks) };
    await claim(tx, unknown, operator, booked);
    const now = await clock(tx);
    await insertPayment(tx, {
      paymentId,
      operationId,
      declinedCount: earlier.length,
      partnerId,
      paymentPointId,
      routeId,
      method,
      merchantOrderId,
      amountKopecks,
      description: 'Booked from the bank’s register',
      customerId: order.customerID,
      feeBasisPoints: point.feeBasisPoints,
      status: 'SUBMITTED',
      checkoutToken: randomBytes(32).toString('base64url'),
      expiresAt: new Date(now.getTime() + point.sessionMinutes * 60_000),
      bankOperationId: taken.bankOperationId,
      // Paid: until that is booked, nobody cancels it.
      cardSentAt: now,
      // The worker books it if this process dies before it does.
      nextReadAt: now,
    });
    for (const card of earlier) await insertDeclinedCard(tx, { ...card, paymentId, sentAt: now, declinedAt: now });
    if (proposal === undefined) await demandWithinLimit(tx, deps, operator, { partnerId, amountKopecks });
  }).catch((error: unknown) => {
    const violated = violatedConstraint(error);
    if (violated === 'payments_merchant_order') throw new ApiError('DUPLICATE_ORDER');
    if (violated === 'payments_pkey') throw new ApiError('STALE_REVISION', { text: 'our books have this payment, without this card' });
    throw error;
  });
  await recordOutcome(deps, { paymentId, operationId }, taken);
}

/**
 * The cards of a payment that the bank declined before the order that was paid; none if that is the payment's first.
 * @throws ApiError VALIDATION_FAILED if it is no order of this payment; OUTCOME_UNKNOWN, REFUND_NOT_ALLOWED if the bank does not say that
 * it declined the earlier ones
 */
async function readEarlierCards({ operationId, acquirer }: UnknownOperation, paymentId: string) {
  const orders = [paymentId, ...LATER_CARDS.map((attempt) => laterOperationId(paymentId, attempt))];
  const paid = orders.indexOf(operationId);
  if (paid === -1) throw invalidField('order.paymentId', 'is not the payment of this operation');
  return Promise.all(
    orders.slice(0, paid).map(async (order, index) => {
      const { bankOperationId, failureCode, card } = demandDeclined(await acquirer.read(order));
      return {
        operationId: order,
        nextOperationId: orders[index + 1] ?? operationId,
        attempt: index + 1,
        bankOperationId,
        failureCode,
        cardMask: card.mask,
        threeDsVersion: null,
        transStatus: null,
        eci: null,
      };
    }),
  );
}

async function bookRefund(deps: ApiDeps, unknown: UnknownOperation, { asked, operator }: Booking): Promise<void> {
  const { operationId: refundId, originalOperationId, bankOperationId, bankAmountKopecks } = unknown;
  if (originalOperationId === null || bankAmountKopecks === null) throw unknownPayment();
  const order = await findNamedOrder(deps.db, originalOperationId);
  // What the bank took for a declined order is returned, never refunded.
  if (order.kind === 'declined') throw unknownPayment();
  const { paymentId } = order;
  const known = await findPayment(deps.db, paymentId);
  if (known === undefined) throw unknownPayment();
  const sent = {
    operationId: refundId,
    originalOperationId,
    bankOperationId,
    amountKopecks: bankAmountKopecks,
    paidBy: wayOfOrder(known, originalOperationId),
    isRepeat: true,
    money: {
      paid: known.amountKopecks,
      returned: known.refundedKopecks,
      underWay: known.refundReservedKopecks - known.refundedKopecks,
      isAccepted: false,
    },
  };
  const result = demandMoved(await unknown.acquirer.readRefund(sent));
  const { amountKopecks } = result;
  await inTransaction(deps.db, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    const { partnerId } = payment;
    await claim(tx, unknown, operator, { partnerId, paymentId, amount: renderRub(amountKopecks) });
    const now = await clock(tx);
    const values = {
      refundId,
      paymentId,
      partnerId,
      merchantRefundId: asked.merchantRefundId ?? null,
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
    if (violatedConstraint(error) === 'refunds_merchant_refund')
      throw new ApiError('DUPLICATE_ORDER', { text: 'this merchantRefundId has already been used' });
    throw error;
  });
  await recordRefundOutcome(deps, refundId, result);
}

const unknownPayment = () => new ApiError('NOT_FOUND', { text: 'we do not know the payment of this refund: book or return that first' });

async function claim(
  tx: Tx,
  { operationId }: UnknownOperation,
  { login: operator }: Operator,
  after: Readonly<Record<string, string>>,
): Promise<void> {
  const resolution = { note: 'Booked as the bank has it.', resolvedBy: operator };
  if (!(await resolveUnknown(tx, operationId, resolution))) throw resolved();
  await demandUnknown(tx, operationId);
  await insertAction(tx, { operator, action: 'exception.book', subjectId: operationId, before: null, after });
}

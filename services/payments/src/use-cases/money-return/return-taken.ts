import type { Tx } from '@pay/shared/postgres/db.ts';
import { raiseException } from '../../db/reconciliation/exceptions.ts';
import { insertLedgerTransaction } from '../../db/ledger/ledger.ts';
import { insertMoneyReturn, listMoneyReturns } from '../../db/money-return/money-returns.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Taken } from '../../domain/acquiring/acquirer-result.ts';
import { entriesForLateSuccess } from '../../domain/ledger/ledger.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { isNegativeEnd } from '../../domain/payment/payment-status.ts';

/** Money, and our id of the order for which the bank took it. */
type TakenFor = Taken & { readonly operationId: string };

/**
 * Handles money without an order: books it to suspense, opens its return to the buyer, and raises an exception. The first money
 * after a payment ended unpaid is late money; everything else was paid more than once, or with a card that the bank had declined. Happens
 * once for each of the bank's own
 * payments, however often it is reported: the caller holds the payment's lock. In another currency it only raises the exception.
 */
export async function returnTaken(deps: Deps, tx: Tx, payment: Payment, taken: TakenFor): Promise<void> {
  const { paymentId, routeId } = payment;
  const { operationId, bankOperationId, amountKopecks, currency } = taken;
  const returns = await listMoneyReturns(tx, paymentId);
  if (returns.some((known) => known.bankOperationId === bankOperationId)) return;
  const isLate = isNegativeEnd(payment.status) && returns.length === 0;
  const why = isLate ? 'LATE_SUCCESS' : 'PAID_TWICE';
  const isNew = await raiseException(tx, {
    kind: why,
    paymentId,
    operationId,
    finding: isLate ? '' : bankOperationId,
    bankOperationId,
    bankAmountKopecks: amountKopecks,
    bankCurrency: currency,
  });
  deps.log.error('the bank took money without an order', { paymentId, status: payment.status, why, isNew });
  if (!isNew || currency !== payment.currency) return;
  const returnId = deps.operationIds.issue();
  const reference = isLate ? paymentId : returnId;
  await insertLedgerTransaction(tx, { kind: why, referenceId: reference }, entriesForLateSuccess(routeId, amountKopecks));
  await insertMoneyReturn(tx, { returnId, paymentId, operationId, why, bankOperationId, routeId, amountKopecks });
}

/** An order whose card the bank had declined, and what the bank says of it now. */
export type DeclinedOrder = { readonly operationId: string; readonly outcome: Outcome };

/**
 * Returns the money that the bank took for a declined order after all. Nothing else about such an order matters. See
 * decisions/orders-of-a-payment.
 */
export async function returnOfDeclined(deps: Deps, tx: Tx, payment: Payment, { operationId, outcome }: DeclinedOrder): Promise<void> {
  if (outcome.kind !== 'confirmed') return;
  for (const taken of [outcome, ...(outcome.alsoTaken ?? [])]) await returnTaken(deps, tx, payment, { ...taken, operationId });
}

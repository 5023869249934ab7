import { randomUUID } from 'node:crypto';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { eraseBuyerRows, hasUnfinished } from '../../db/operator/buyers.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { findPayment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';

/** How many rows were anonymised. */
export type ErasedBuyer = { readonly payments: number; readonly savedCards: number };

/**
 * POST /operator/payments/{paymentId}/erase-buyer: erases the data of the buyer who made a payment, in all of the partner's
 * payments with the same customerID (a QR payment has none, so only itself). Amounts, order and operation numbers and the ledger
 * stay, as accounting law requires; the customerID becomes a random pseudonym, the same in all of them. Bindings erases first: while
 * a card may still be charged, its buyer is kept. The buyer is named by a payment, so that no audit log has the
 * customerID. See decisions/erasure.
 * @throws ApiError NOT_FOUND; VALIDATION_FAILED while anything of the buyer is unfinished, or a card is not revoked
 */
export async function eraseBuyer(deps: Deps, operator: OperatorLogin, paymentId: string): Promise<ErasedBuyer> {
  return inTransaction(deps.db, async (tx) => {
    const payment = await findPayment(tx, paymentId);
    if (payment === undefined) throw new ApiError('NOT_FOUND');
    const { partnerId, customerId } = payment;
    const buyer = { partnerId, customerId, paymentId };
    const unfinished = await hasUnfinished(tx, buyer);
    if (unfinished !== undefined) throw invalidField('paymentId', unfinished);
    const pseudonym = customerId === '' ? '' : `erased-${randomUUID()}`;
    const erased = await eraseBuyerRows(tx, { ...buyer, pseudonym });
    await insertAction(tx, { operator, action: 'buyer.erased', subjectId: paymentId, before: null, after: erased });
    return erased;
  });
}

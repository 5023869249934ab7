import { randomBytes } from 'node:crypto';
import type { ChargeSavedCard, WithdrawCharge } from '@pay/contract/charges.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { findPoint } from '../../db/merchant/payment-points.ts';
import { findPayment, insertPayment, type Payment } from '../../db/payment/payments.ts';
import { findSavedCard, revokeSavedCard } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import { checkIsCharge } from './charge-saved-card.ts';
import { duplicateOrder } from '../payment/duplicate-order.ts';
import { recordLocked } from '../payment/record-outcome.ts';

/**
 * POST /internal/charges/withdrawn: a charge that bindings could not hand over ends FAILED, with its payment.failed. Its
 * id is used up: a delayed hand-over finds it ended and takes no money. A charge that has already arrived
 * is returned as it is, and continues as usual. Calls no bank. Safe to repeat. ADR 0100.
 * @throws ApiError NOT_FOUND without such a card, DUPLICATE_ORDER; IDEMPOTENCY_KEY_REUSED if the id belongs to another charge
 */
export async function withdrawCharge(deps: Deps, partnerId: PartnerId, command: WithdrawCharge): Promise<Payment> {
  const { failureCode, ...charge } = command;
  if (failureCode === 'CONSENT_REVOKED') await noteRevokedCard(deps, partnerId, charge.bindingId);
  try {
    return await inTransaction(deps.db, async (tx) => {
      const withdrawn = await insertUnsent(tx, partnerId, charge);
      return recordLocked(
        deps,
        tx,
        { payment: withdrawn, now: withdrawn.updatedAt },
        { outcome: { kind: 'ended', failureCode } },
      );
    });
  } catch (error) {
    const violated = violatedConstraint(error);
    if (violated === 'payments_merchant_order')
      throw (await duplicateOrder(deps.db, partnerId, command.merchantOrderId)) ?? error;
    const known = violated === 'payments_pkey' ? await findPayment(deps.db, charge.paymentId) : undefined;
    if (known === undefined) throw error;
    checkIsCharge(known, partnerId, charge);
    return known;
  }
}

/**
 * POST /internal/saved-cards/{bindingId}/revoke: once this is answered, no further charge of the card is sent to the bank.
 * Safe to repeat.
 */
export async function noteRevokedCard(deps: Deps, partnerId: PartnerId, bindingId: string): Promise<void> {
  await inTransaction(deps.db, (tx) => revokeSavedCard(tx, partnerId, bindingId));
}

async function insertUnsent(tx: Tx, partnerId: PartnerId, charge: ChargeSavedCard): Promise<Payment> {
  const card = await findSavedCard(tx, partnerId, charge.bindingId);
  if (card === undefined) throw new ApiError('NOT_FOUND');
  const [first, point] = [await findPayment(tx, card.paymentId), await findPoint(tx, card.paymentPointId)];
  if (first === undefined || point === undefined) throw new Error('a saved card names a missing payment or point');
  const now = await clock(tx);
  return insertPayment(tx, {
    ...charge,
    partnerId,
    paymentPointId: point.paymentPointId,
    routeId: first.routeId,
    method: 'CARD_BINDING',
    customerId: card.customerId,
    feeBasisPoints: point.feeBasisPoints,
    status: 'CREATED',
    checkoutToken: randomBytes(32).toString('base64url'),
    expiresAt: now,
    updatedAt: now,
  });
}

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
import { recordLocked } from '../payment/record-outcome.ts';

/**
 * POST /internal/charges/withdrawn: a charge that bindings could not hand over ends FAILED, with its payment.failed. Its
 * id is used up: a delayed hand-over finds it ended and takes no money. A charge that has already arrived
 * is returned as it is, and continues as usual. Calls no bank. Safe to repeat. See decisions/recurring-charges.
 * @throws ApiError NOT_FOUND without such a card; IDEMPOTENCY_KEY_REUSED if the id belongs to another charge
 */
export async function withdrawCharge(deps: Deps, partnerId: PartnerId, command: WithdrawCharge): Promise<Payment> {
  const { failureCode, ...charge } = command;
  if (failureCode === 'CONSENT_REVOKED') await noteRevokedCard(deps, partnerId, charge.bindingId);
  const { merchantOrderId } = charge;
  // It was accepted before another payment took its number, and is told of all the same.
  const duplicate = { ...charge, merchantOrderId: '', duplicateOrderId: merchantOrderId };
  try {
    return await endUnsent(deps, partnerId, charge, failureCode).catch((error: unknown) => {
      if (violatedConstraint(error) !== 'payments_merchant_order') throw error;
      return endUnsent(deps, partnerId, duplicate, failureCode);
    });
  } catch (error) {
    const isKnown = violatedConstraint(error) === 'payments_pkey';
    const known = isKnown ? await findPayment(deps.db, charge.paymentId) : undefined;
    if (known === undefined) throw error;
    checkIsCharge(known, partnerId, charge);
    return known;
  }
}

/** Stores it and ends it, with its event. @throws a violation of `payments_pkey` or `payments_merchant_order` */
function endUnsent(deps: Deps, partnerId: PartnerId, charge: Unsent, failureCode: WithdrawCharge['failureCode']): Promise<Payment> {
  return inTransaction(deps.db, async (tx) => {
    const payment = await insertUnsent(tx, partnerId, charge);
    const seen = { payment, now: payment.updatedAt };
    return recordLocked(deps, tx, seen, { outcome: { kind: 'ended', failureCode } });
  });
}

type Unsent = ChargeSavedCard & Partial<Pick<Payment, 'duplicateOrderId'>>;

/**
 * POST /internal/saved-cards/{bindingId}/revoke: once this is answered, no further charge of the card is sent to the bank.
 * Safe to repeat.
 */
export async function noteRevokedCard(deps: Deps, partnerId: PartnerId, bindingId: string): Promise<void> {
  await inTransaction(deps.db, (tx) => revokeSavedCard(tx, partnerId, bindingId));
}

async function insertUnsent(tx: Tx, partnerId: PartnerId, charge: Unsent): Promise<Payment> {
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

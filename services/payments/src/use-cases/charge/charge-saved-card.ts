import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChargeSavedCard, CheckCharge } from '@pay/contract/charges.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inOneStatement } from '@pay/shared/postgres/fast/one-statement.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { findChargeableCard, type ChargeableCard } from '../../db/saved-card/chargeable-cards.ts';
import { LEASE_MS } from '../../db/payment/leases.ts';
import { findPayment, insertPayment, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { checkAmount } from '../acquiring/check-amount.ts';
import { routesThatTake } from '../acquiring/check-receipt.ts';
import { duplicateOrder } from '../payment/duplicate-order.ts';
import { sendCharge } from '../payment/send-charge.ts';
import { submitIfFree } from '../payment/submit-payment.ts';

/**
 * POST /internal/charges. Whether the card may be charged now is decided by bindings before; here the money is taken,
 * once a `paymentId`: transaction · call · transaction, as for a card payment. A repeat answers the charge as it is now,
 * and carries it on when it never got to the bank. No answer of the bank is no failure: the worker reads it back.
 * @throws ApiError NOT_FOUND without such a card, DUPLICATE_ORDER, ROUTE_UNAVAILABLE, VALIDATION_FAILED for an amount
 * beyond the limits, or a receipt where none is taken; then nothing is stored. IDEMPOTENCY_KEY_REUSED when the id is another charge's.
 */
export async function chargeSavedCard(deps: Deps, partnerId: PartnerId, command: ChargeSavedCard): Promise<Payment> {
  const inserted = await insertCharge(deps, partnerId, command).catch(async (error: unknown) => {
    // A repeat, or the same call at the same moment, is answered by what is there, whatever is wrong with another charge.
    const known = await findPayment(deps.db, command.paymentId);
    if (known !== undefined) return known;
    if (violatedConstraint(error) !== 'payments_merchant_order') throw error;
    throw (await duplicateOrder(deps.db, partnerId, command.merchantOrderId)) ?? error;
  });
  if (!('acquirer' in inserted)) return carryOnCharge(deps, partnerId, command, inserted);
  return sendCharge(deps, inserted.charge, inserted.acquirer, 'first');
}

/**
 * POST /internal/charges/checked: what would be wrong with a charge whenever it came. Bindings asks before it refuses one
 * for a state, because what is wrong with the request itself is answered first. Stores nothing.
 * @throws ApiError NOT_FOUND without such a card, VALIDATION_FAILED for an amount beyond the limits or a receipt where none is taken, DUPLICATE_ORDER
 */
export async function checkCharge(deps: Deps, partnerId: PartnerId, command: CheckCharge): Promise<void> {
  await findChargeable(deps, partnerId, command);
  const duplicate = await duplicateOrder(deps.db, partnerId, command.merchantOrderId);
  if (duplicate !== undefined) throw duplicate;
}

/** The card, and where it is charged. @throws ApiError NOT_FOUND, VALIDATION_FAILED as `checkCharge` */
async function findChargeable(
  deps: Deps,
  partnerId: PartnerId,
  { bindingId, amountKopecks, receipt }: Pick<ChargeSavedCard, 'bindingId' | 'amountKopecks' | 'receipt'>,
): Promise<ChargeableCard> {
  const found = await findChargeableCard(deps.db, partnerId, bindingId);
  if (found === undefined || found.point.status === 'CLOSED') throw new ApiError('NOT_FOUND');
  checkAmount(amountKopecks, routesThatTake(deps, receipt, [found.route]));
  return found;
}

type Inserted = { readonly charge: Payment; readonly acquirer: Acquirer };

/** Stores the charge, leased to its caller. @throws ApiError; a violation of `payments_pkey` or `payments_merchant_order` */
async function insertCharge(deps: Deps, partnerId: PartnerId, command: ChargeSavedCard): Promise<Inserted> {
  const { card, point, route, now } = await findChargeable(deps, partnerId, command);
  const isOpen = point.status === 'ACTIVE' && route.status === 'ACTIVE';
  const acquirer = isOpen ? deps.acquirerOf(route) : undefined;
  if (acquirer?.takesOrders !== true) {
    throw (await duplicateOrder(deps.db, partnerId, command.merchantOrderId)) ?? new ApiError('ROUTE_UNAVAILABLE');
  }
  const later = (ms: number) => new Date(now.getTime() + ms);
  const values = {
    ...command,
    partnerId,
    paymentPointId: point.paymentPointId,
    routeId: route.routeId,
    method: 'CARD_BINDING',
    customerId: card.customerId,
    feeBasisPoints: point.feeBasisPoints,
    status: 'CREATED',
    // Of no use to anybody: a charge has no page.
    checkoutToken: randomBytes(32).toString('base64url'),
    expiresAt: later(point.sessionMinutes * 60_000),
    leaseUntil: later(LEASE_MS),
    leaseNumber: 1,
    // Should this process die during the call, the worker takes over when the lease has run out.
    nextReadAt: later(LEASE_MS),
    // From here on the bank may have taken money.
    cardSentAt: now,
    updatedAt: now,
  } as const;
  const charge = await inOneStatement(deps.db, (writer) => insertPayment(writer, values));
  return { charge, acquirer };
}

/**
 * A repeat: the charge as it is now, sent if it never got to the bank and nobody does that.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED when the payment is not the charge that is asked for
 */
async function carryOnCharge(
  deps: Deps,
  partnerId: PartnerId,
  command: ChargeSavedCard,
  known: Payment,
): Promise<Payment> {
  checkIsCharge(known, partnerId, command);
  if (known.status !== 'CREATED') return known;
  return (await submitIfFree(deps, known.paymentId)) ?? known;
}

/** @throws ApiError IDEMPOTENCY_KEY_REUSED when the payment is not the charge that is asked for */
export function checkIsCharge(known: Payment, partnerId: PartnerId, command: ChargeSavedCard): void {
  const isSame =
    known.partnerId === partnerId &&
    known.bindingId === command.bindingId &&
    known.method === 'CARD_BINDING' &&
    known.merchantOrderId === command.merchantOrderId &&
    known.amountKopecks === command.amountKopecks &&
    known.description === command.description &&
    isDeepStrictEqual(known.receipt, command.receipt ?? null);
  if (!isSame) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
}

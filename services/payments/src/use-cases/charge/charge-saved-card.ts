import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChargeSavedCard, CheckCharge } from '@pay/contract/charges.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { isUnavailable, violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inOneStatement } from '@pay/shared/postgres/fast/one-statement.ts';
import { letGo } from '@pay/shared/postgres/let-go.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { stopwatch } from '@pay/shared/time/wall-clock.ts';
import { currentTraceparent } from '@pay/shared/telemetry/tracing.ts';
import { findChargeableCard, insertChargeOf, type ChargeableCard } from '../../db/saved-card/chargeable-cards.ts';
import { abandonNewPayment, LEASE_MS } from '../../db/payment/leases.ts';
import { findPayment, type Payment } from '../../db/payment/payments.ts';
import { orderOf } from '../../domain/payment/order-number.ts';
import type { Deps } from '../../deps.ts';
import { checkAmount } from '../acquiring/check-amount.ts';
import { routesThatTake } from '../acquiring/check-receipt.ts';
import { askConsent } from '../saved-card/ask-consent.ts';
import { duplicateOrder } from '../payment/duplicate-order.ts';
import { sendNewCharge, type NewCharge } from '../payment/send-charge.ts';
import { submitIfFree } from '../payment/submit-payment.ts';

/**
 * POST /internal/charges. Bindings has already decided that the card may be charged now; this takes the money,
 * once per `paymentId`: transaction · call · transaction, as for a card payment. Bindings is asked before whether the buyer still
 * agrees; the statement that stores the charge is the last check (decisions/leases-and-fences). A repeat returns the
 * charge as it is now, and continues it if it never got to the bank. If the bank does not answer, the charge has not
 * failed: the worker reads it back.
 * @throws ApiError NOT_FOUND without such a card, or if bindings waits for no such charge; DUPLICATE_ORDER, ROUTE_UNAVAILABLE,
 * VALIDATION_FAILED for an amount
 * outside the limits, or a receipt that the route does not support; then nothing is stored. IDEMPOTENCY_KEY_REUSED if the id belongs to
 * another charge.
 */
export async function chargeSavedCard(deps: Deps, partnerId: PartnerId, command: ChargeSavedCard): Promise<Payment> {
  const inserted = await insertCharge(deps, partnerId, command).catch(async (error: unknown) => {
    // A repeat, or a simultaneous identical call, returns the stored charge, whatever was wrong with this attempt.
    const known = await findPayment(deps.db, command.paymentId);
    if (known !== undefined) return known;
    if (violatedConstraint(error) !== 'payments_merchant_order') throw error;
    throw (await duplicateOrder(deps.db, partnerId, command.merchantOrderId)) ?? error;
  });
  if (!('acquirer' in inserted)) return carryOnCharge(deps, partnerId, command, inserted);
  return sendNewCharge(deps, inserted);
}

/**
 * POST /internal/charges/checked: reports what is wrong with a charge regardless of timing. Bindings calls this before it refuses a charge
 * because of a state, since errors in the request itself take precedence. Stores nothing.
 * @throws ApiError NOT_FOUND without such a card, VALIDATION_FAILED for an amount outside the limits or an unsupported receipt,
 * DUPLICATE_ORDER
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

/** Stores the charge, leased to its caller. @throws ApiError; a violation of `payments_pkey` or `payments_merchant_order` */
async function insertCharge(deps: Deps, partnerId: PartnerId, command: ChargeSavedCard): Promise<NewCharge> {
  const elapsedMs = stopwatch();
  const { card, point, route, now } = await findChargeable(deps, partnerId, command);
  const seenAtMs = performance.now();
  const isOpen = point.status === 'ACTIVE' && route.status === 'ACTIVE';
  const acquirer = isOpen ? deps.acquirerOf(route) : undefined;
  if (acquirer?.takesOrders !== true) {
    throw (await duplicateOrder(deps.db, partnerId, command.merchantOrderId)) ?? new ApiError('ROUTE_UNAVAILABLE');
  }
  const consent = await askConsent(deps, { ...command, partnerId });
  if (consent === 'unwanted') throw new ApiError('NOT_FOUND');
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
    // Unused: a charge has no checkout page.
    checkoutToken: randomBytes(32).toString('base64url'),
    expiresAt: later(point.sessionMinutes * 60_000),
    leaseUntil: later(LEASE_MS),
    leaseNumber: 1,
    // If this process dies during the call, the worker takes over when the lease has expired.
    nextReadAt: later(LEASE_MS),
    // From here on the bank may have taken money.
    cardSentAt: now,
    traceparent: currentTraceparent() ?? null,
    updatedAt: now,
  } as const;
  const { paymentId, checkoutToken } = values;
  const stored = inOneStatement(deps.db, (writer) => insertChargeOf(writer, values)).catch((error: unknown) => {
    // It may be stored all the same: the repeat of bindings, or the worker, goes on with it.
    const release = (tx: Tx) => abandonNewPayment(tx, paymentId, checkoutToken);
    if (isUnavailable(error)) letGo(deps.db, { heldForMs: LEASE_MS, release });
    throw error;
  });
  const { isRevoked, held, ...charge } = await stored;
  return {
    charge,
    acquirer,
    card,
    elapsedMs,
    now,
    seenAtMs,
    isRevoked: isRevoked || consent === 'revoked',
    isHeld: held !== undefined || consent === 'unknown',
  };
}

/**
 * Answers a repeat: the charge as it is now. It is sent if it never got to the bank and nobody else is sending it.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED if the payment is not the requested charge
 */
async function carryOnCharge(deps: Deps, partnerId: PartnerId, command: ChargeSavedCard, known: Payment): Promise<Payment> {
  checkIsCharge(known, partnerId, command);
  if (known.status !== 'CREATED') return known;
  return (await submitIfFree(deps, known.paymentId)) ?? known;
}

/** @throws ApiError IDEMPOTENCY_KEY_REUSED if the payment is not the requested charge */
export function checkIsCharge(known: Payment, partnerId: PartnerId, command: ChargeSavedCard): void {
  const isSame =
    known.partnerId === partnerId &&
    known.bindingId === command.bindingId &&
    known.method === 'CARD_BINDING' &&
    orderOf(known) === command.merchantOrderId &&
    known.amountKopecks === command.amountKopecks &&
    known.description === command.description &&
    isDeepStrictEqual(known.receipt, command.receipt ?? null);
  if (!isSame) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
}

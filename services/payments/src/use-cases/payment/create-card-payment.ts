import { randomBytes } from 'node:crypto';
import type { CreateCardPayment } from '@pay/contract/api/card-payments.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import type { IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { currentTraceparent } from '@pay/shared/telemetry/tracing.ts';
import type { Store } from '../../db/merchant/payment-points.ts';
import { LEASE_MS } from '../../db/payment/leases.ts';
import type { Payment, StoredWhole } from '../../db/payment/payments.ts';
import type { ApiDeps } from '../../deps.ts';
import { awaitsConsent } from '../../domain/payment/consent.ts';
import { isAcceptedAhead, type Saving } from '../../domain/saved-card/saving.ts';
import { carryOn, type CreatedPayment } from './carry-on.ts';
import { duplicateOrder } from './duplicate-order.ts';
import { insertOnce, type PaymentDraft } from './insert-once.ts';
import { chooseRoute, findPointAndRoutes } from './point-and-routes.ts';
import { submitPayment } from './submit-payment.ts';
import { consentOf, publishMerchantConsent } from '../saved-card/publish-consent.ts';

/**
 * POST /api/card. Saves the payment, then registers it at the bank: transaction · call · transaction. Whatever the bank
 * does, the payment exists from the first commit on, and a repeat with the same key continues it. If the buyer must first
 * be asked whether the card may be saved, the payment is registered after their answer (`answer-consent.ts`).
 * @throws ApiError as in the contract's table of card errors; then nothing is stored and the key stays free.
 */
export async function createCardPayment(deps: ApiDeps, request: IdempotentRequest, command: CreateCardPayment): Promise<CreatedPayment> {
  await checkAcceptedAt(deps.db, command.saving);
  const paymentId = deps.operationIds.issue();
  const { partnerId } = request;
  const inserted = await insertOnce(deps, request, paymentId, (reader) =>
    draftCardPayment(deps, reader, { paymentId, partnerId }, command),
  ).catch(async (error: unknown) => {
    if (violatedConstraint(error) !== 'payments_merchant_order') throw error;
    throw (await duplicateOrder(deps.db, partnerId, command.merchantOrderId)) ?? error;
  });
  const { status } = inserted;
  if (inserted.kind === 'repeat') return { payment: await carryOn(deps, partnerId, inserted.paymentId), status, replayed: true };
  const payment = awaitsConsent(inserted.payment) ? inserted.payment : await submitPayment(deps, inserted);
  return { payment, status, replayed: false };
}

/** See spec/decisions#merchant-capture. @throws ApiError 400 for a consent in the future */
async function checkAcceptedAt(reader: Reader, saving: Saving | undefined): Promise<void> {
  if (saving?.merchant !== undefined && isAcceptedAhead(saving.merchant, await clock(reader)))
    throw invalidField('recurringConsent.acceptedAt', 'must not be in the future');
}

async function draftCardPayment(
  deps: ApiDeps,
  reader: Reader,
  { paymentId, partnerId }: Pick<Payment, 'paymentId' | 'partnerId'>,
  command: CreateCardPayment,
): Promise<PaymentDraft> {
  const found = await findPointAndRoutes(deps, reader, partnerId, { ...command, method: 'CARD' });
  const { paymentPointId: _chosen, saving, ...rest } = command;
  const stored: StoredWhole<typeof rest> = rest;
  checkConsent(found.store, saving);
  const taken = chooseRoute(deps, found);
  if (taken === undefined) throw (await duplicateOrder(reader, partnerId, command.merchantOrderId)) ?? new ApiError('ROUTE_UNAVAILABLE');
  const { point, acquirer, now } = taken;
  const later = (ms: number) => new Date(now.getTime() + ms);
  const expiresAt = later(point.sessionMinutes * 60_000);
  const registration =
    saving !== undefined && saving.merchant === undefined
      ? { nextReadAt: expiresAt }
      : // If this process dies before the registration ends, the worker takes over when the lease has expired.
        { leaseUntil: later(LEASE_MS), leaseNumber: 1, nextReadAt: later(LEASE_MS) };
  const values = {
    paymentId,
    partnerId,
    paymentPointId: point.paymentPointId,
    routeId: point.routeId,
    method: 'CARD',
    ...stored,
    feeBasisPoints: point.feeBasisPoints,
    status: 'CREATED',
    checkoutToken: randomBytes(32).toString('base64url'),
    expiresAt,
    ...registration,
    ...(saving === undefined ? {} : consentOf(saving)),
    createdAt: now,
    traceparent: currentTraceparent() ?? null,
    updatedAt: now,
  } as const;
  const merchant = saving?.merchant;
  if (merchant === undefined) return { values, acquirer };
  const publish = (tx: Tx, payment: Payment) => publishMerchantConsent(tx, payment, found.store.name, merchant);
  return { values, acquirer, publish };
}

/** @throws ApiError 400 for evidence that the store may not submit */
function checkConsent(store: Store, saving: Saving | undefined): void {
  if (saving?.merchant !== undefined && !store.merchantConsent)
    throw invalidField('recurringConsent.capture', 'is not enabled for this partner');
}

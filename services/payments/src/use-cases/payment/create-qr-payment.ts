import { randomBytes } from 'node:crypto';
import type { CreateQrPayment } from '@pay/contract/api/qr-payments.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { currentTraceparent } from '@pay/shared/telemetry/tracing.ts';
import { LEASE_MS } from '../../db/payment/leases.ts';
import type { Payment, Stored } from '../../db/payment/payments.ts';
import type { ApiDeps } from '../../deps.ts';
import { carryOn, type CreatedPayment } from './carry-on.ts';
import { insertOnce, type PaymentDraft } from './insert-once.ts';
import { chooseRoute, findPointAndRoutes } from './point-and-routes.ts';
import { submitPayment } from './submit-payment.ts';

/**
 * POST /api/qr. As for cards: the payment exists from the first commit on, then the bank is asked for its QR code. Without
 * an answer it stays CREATED, and a repeat or the worker asks again with the same id.
 * @throws ApiError as for cards; then nothing is stored and the key stays free.
 */
export async function createQrPayment(deps: ApiDeps, request: IdempotentRequest, command: CreateQrPayment): Promise<CreatedPayment> {
  const paymentId = deps.operationIds.issue();
  const { partnerId } = request;
  const inserted = await insertOnce(deps, request, paymentId, (reader) => draftQrPayment(deps, reader, { paymentId, partnerId }, command));
  const { status } = inserted;
  if (inserted.kind === 'repeat') return { payment: await carryOn(deps, partnerId, inserted.paymentId), status, replayed: true };
  return { payment: await submitPayment(deps, inserted), status, replayed: false };
}

async function draftQrPayment(
  deps: ApiDeps,
  reader: Reader,
  { paymentId, partnerId }: Pick<Payment, 'paymentId' | 'partnerId'>,
  command: CreateQrPayment,
): Promise<PaymentDraft> {
  const { paymentPointId: _chosen, description = '', ...rest } = command;
  const stored: Stored<typeof rest> = rest;
  const taken = chooseRoute(deps, await findPointAndRoutes(deps, reader, partnerId, { ...command, method: 'SBP_DYNAMIC_QR' }));
  if (taken === undefined) throw new ApiError('ROUTE_UNAVAILABLE');
  const { point, acquirer, now } = taken;
  const later = (ms: number) => new Date(now.getTime() + ms);
  const values = {
    paymentId,
    partnerId,
    paymentPointId: point.paymentPointId,
    routeId: point.routeId,
    method: 'SBP_DYNAMIC_QR',
    // An empty string for QR: spec/service-contract#data-of-payment-completed-and/merchantorderid. The buyer is not
    // known either.
    merchantOrderId: '',
    customerId: '',
    description,
    ...stored,
    feeBasisPoints: point.feeBasisPoints,
    status: 'CREATED',
    checkoutToken: randomBytes(32).toString('base64url'),
    expiresAt: later(point.sessionMinutes * 60_000),
    // If this process dies before the registration ends, the worker takes over when the lease has expired.
    leaseUntil: later(LEASE_MS),
    leaseNumber: 1,
    nextReadAt: later(LEASE_MS),
    createdAt: now,
    traceparent: currentTraceparent() ?? null,
    updatedAt: now,
  } as const;
  return { values, acquirer };
}

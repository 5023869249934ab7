import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { CreateQrPayment } from '@pay/contract/api/qr-payments.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { LEASE_MS } from '../../db/payment/leases.ts';
import { insertPayment, type Payment, type Stored } from '../../db/payment/payments.ts';
import type { ApiDeps } from '../../deps.ts';
import { carryOn, type CreatedPayment } from './carry-on.ts';
import { insertOnce } from './insert-once.ts';
import { findPlace, takeRoute } from './place-payment.ts';
import { submitPayment } from './submit-payment.ts';

/**
 * POST /api/qr. As for cards: the payment exists from the first commit on, then the bank is asked for its QR code. Without
 * an answer it stays CREATED, and a repeat or the worker asks again with the same id.
 * @throws ApiError as for cards; then nothing is stored and the key stays free.
 */
export async function createQrPayment(
  deps: ApiDeps,
  request: IdempotentRequest,
  command: CreateQrPayment,
): Promise<CreatedPayment> {
  const paymentId = randomUUIDv7();
  let inserted: Inserted | undefined;
  const { objectId, status } = await insertOnce(deps, request, paymentId, async (tx) => {
    inserted = await insertQrPayment(deps, tx, { paymentId, partnerId: request.partnerId }, command);
  });
  if (inserted === undefined || objectId !== paymentId)
    return { payment: await carryOn(deps, request.partnerId, objectId), status, replayed: true };
  return { payment: await submitPayment(deps, inserted.payment, inserted.acquirer), status, replayed: false };
}

type Inserted = { readonly payment: Payment; readonly acquirer: Acquirer };

async function insertQrPayment(
  deps: ApiDeps,
  tx: Tx,
  { paymentId, partnerId }: Pick<Payment, 'paymentId' | 'partnerId'>,
  command: CreateQrPayment,
): Promise<Inserted> {
  const { paymentPointId: _chosen, description = '', ...rest } = command;
  const stored: Stored<typeof rest> = rest;
  const taken = takeRoute(deps, await findPlace(deps, tx, partnerId, { ...command, method: 'SBP_DYNAMIC_QR' }));
  if (taken === undefined) throw new ApiError('ROUTE_UNAVAILABLE');
  const { point, acquirer, now } = taken;
  const later = (ms: number) => new Date(now.getTime() + ms);
  const payment = await insertPayment(tx, {
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
    updatedAt: now,
  });
  return { payment, acquirer };
}

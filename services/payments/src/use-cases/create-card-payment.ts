import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { violatedConstraint, type Tx } from '@pay/shared/database/database.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { clock } from '@pay/shared/time/clock.ts';
import type { Channel } from '../channels/channel.ts';
import { findEndpoints } from '../db/endpoints.ts';
import { findStoreOfPoint, listPointsWithRoute } from '../db/payment-points.ts';
import { findPartnerPayment, insertPayment, type Payment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import { awaitsConsent } from '../domain/consent.ts';
import { choosePoint, type PointChoice } from '../domain/payment-point.ts';
import { returnUrlProblem } from '../domain/return-url.ts';
import type { Saving } from '../domain/saving.ts';
import { checkAmount } from './check-amount.ts';
import { REGISTER_LEASE_MS, submitIfFree, submitPayment } from './submit-payment.ts';
import { consentOf, tellMerchantConsent } from './tell-consent.ts';

export type CreateCardPayment = {
  readonly paymentPointId: string | undefined;
  readonly merchantOrderId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  readonly customerId: string;
  readonly returnUrl: string | undefined;
  /** The card is to be saved; undefined: an ordinary payment. */
  readonly saving: Saving | undefined;
};

export type CreatedPayment = { readonly payment: Payment; readonly status: number; readonly replayed: boolean };

/** How long a repeat waits for a registration that is going on, and how often it looks. Decisions: "repeat". */
const REPEAT_WAIT_MS = 2_000;
const REPEAT_LOOK_MS = 100;

/**
 * POST /api/card. Saves the command, then registers it at the bank: transaction · call · transaction. Whatever the bank
 * does, the payment exists from the first commit on, and a repeat with the same key carries it on. A payment whose buyer
 * has yet to be asked whether the card may be saved is registered after the answer (`answer-consent.ts`).
 * @throws ApiError as the contract's card error table says; then nothing is stored and the key stays free.
 */
export async function createCardPayment(
  deps: Deps,
  request: IdempotentRequest,
  command: CreateCardPayment,
): Promise<CreatedPayment> {
  let inserted: Inserted | undefined;
  const outcome = await deps.db
    .transaction((tx) =>
      once(tx, request, async () => {
        inserted = await insertCardPayment(deps, tx, request.partnerId, command);
        return { objectId: inserted.payment.paymentId, status: 201 };
      }),
    )
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'payments_merchant_order' ? new ApiError('DUPLICATE_ORDER') : error;
    });
  const payment =
    inserted !== undefined && !outcome.replayed
      ? awaitsConsent(inserted.payment)
        ? inserted.payment
        : await submitPayment(deps, inserted.payment, inserted.channel)
      : await carryOn(deps, request.partnerId, outcome.objectId);
  return { payment, status: outcome.status, replayed: outcome.replayed };
}

type Inserted = { readonly payment: Payment; readonly channel: Channel };

async function insertCardPayment(deps: Deps, tx: Tx, partnerId: string, command: CreateCardPayment): Promise<Inserted> {
  const choice = choosePoint(await listPointsWithRoute(tx, partnerId), command.paymentPointId, 'CARD');
  if (choice.kind === 'refused') throw pointRefusal(choice.why);
  const { point } = choice;
  const channel = point.route.status === 'ACTIVE' ? deps.channelOf(point.route) : undefined;
  if (channel?.isAvailable !== true) throw new ApiError('ROUTE_UNAVAILABLE');
  checkAmount(command.amountKopecks, point, point.route);
  if (command.returnUrl !== undefined) await checkReturnUrl(deps, tx, partnerId, command.returnUrl);

  const { saving } = command;
  const store = saving === undefined ? undefined : await findStoreOfPoint(tx, point.paymentPointId);
  if (saving?.merchant !== undefined && store?.merchantConsent !== true) {
    throw invalidField('recurringConsent.capture', 'is not enabled for this partner');
  }

  const now = await clock(tx);
  const later = (ms: number) => new Date(now.getTime() + ms);
  const expiresAt = later(point.sessionMinutes * 60_000);
  const registration =
    saving !== undefined && saving.merchant === undefined
      ? { nextReadAt: expiresAt }
      : // Should this process die before the registration ends, the worker takes over when the lease has run out.
        { registerLeaseUntil: later(REGISTER_LEASE_MS), nextReadAt: later(REGISTER_LEASE_MS) };
  const payment = await insertPayment(tx, {
    paymentId: randomUUID(),
    partnerId,
    paymentPointId: point.paymentPointId,
    routeId: point.routeId,
    method: 'CARD',
    merchantOrderId: command.merchantOrderId,
    amountKopecks: command.amountKopecks,
    description: command.description,
    customerId: command.customerId,
    returnUrl: command.returnUrl ?? null,
    feeBasisPoints: point.feeBasisPoints,
    status: 'CREATED',
    formToken: randomBytes(32).toString('base64url'),
    expiresAt,
    ...registration,
    ...(saving === undefined ? {} : consentOf(saving)),
    createdAt: now,
    updatedAt: now,
  });
  if (saving?.merchant !== undefined) await tellMerchantConsent(tx, payment, store?.name, saving.merchant);
  return { payment, channel };
}

function pointRefusal(why: Extract<PointChoice<never>, { kind: 'refused' }>['why']): ApiError {
  switch (why) {
    case 'not-found':
      return new ApiError('NOT_FOUND');
    case 'suspended':
      return new ApiError('ROUTE_UNAVAILABLE');
    case 'several':
      return new ApiError('PAYMENT_POINT_REQUIRED');
    case 'method-not-taken':
      return invalidField('paymentPointID', 'takes no card payments');
  }
}

async function checkReturnUrl(deps: Deps, tx: Tx, partnerId: string, returnUrl: string): Promise<void> {
  const endpoints = await findEndpoints(tx, partnerId);
  const problem = returnUrlProblem(returnUrl, endpoints?.returnUrl, { allowPrivate: deps.allowPrivateAddresses });
  if (problem !== undefined) throw invalidField('returnUrl', problem);
}

/**
 * A repeat: the payment as it is now. One that is still CREATED is registered, if nobody does that already; else the
 * repeat waits for it. @throws ApiError IDEMPOTENCY_KEY_IN_PROGRESS when that takes longer than two seconds.
 */
async function carryOn(deps: Deps, partnerId: string, paymentId: string): Promise<Payment> {
  for (let waitedMs = 0; waitedMs <= REPEAT_WAIT_MS; waitedMs += REPEAT_LOOK_MS) {
    const payment = await findPartnerPayment(deps.db, partnerId, paymentId);
    if (payment === undefined) throw new Error('an idempotency record names a payment that is not there');
    const waitsForBuyer = awaitsConsent(payment);
    if (payment.status !== 'CREATED' || waitsForBuyer || payment.expiresAt <= (await clock(deps.db))) return payment;
    const submitted = await submitIfFree(deps, paymentId);
    if (submitted !== undefined) return submitted;
    await wait(REPEAT_LOOK_MS);
  }
  throw new ApiError('IDEMPOTENCY_KEY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { findPartnerPaymentAt, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { awaitsConsent } from '../../domain/payment/consent.ts';
import { submitIfFree } from './submit-payment.ts';

/** What creating a payment, or repeating that, ends with. */
export type CreatedPayment = { readonly payment: Payment; readonly status: number; readonly replayed: boolean };

/** When a repeat looks how a registration goes: two seconds in all. See spec/decisions#repeat-of-a-request. */
const PAUSES_MS = [100, 200, 400, 600, 700] as const;
/** Payments that repeats of this process wait for at once. */
const WAITS_MAX = 64;

/** Repeats of one payment wait together: a storm of them looks no more often than one. */
const waits = new Map<string, Promise<Payment>>();

/**
 * A repeat: the payment as it is now. One that is still CREATED is registered, if nobody does that already; else the
 * repeat waits for it. @throws ApiError IDEMPOTENCY_KEY_IN_PROGRESS when that takes longer than two seconds, and at once
 * when too many payments are waited for.
 */
export async function carryOn(deps: Deps, partnerId: PartnerId, paymentId: string): Promise<Payment> {
  const known = waits.get(paymentId);
  if (known !== undefined) return known;
  const { payment, isDone } = await look(deps, partnerId, paymentId);
  if (isDone) return payment;
  const begun = waits.get(paymentId);
  if (begun !== undefined) return begun;
  if (waits.size >= WAITS_MAX) throw inProgress();
  const waiting = submitOrWait(deps, partnerId, payment).finally(() => waits.delete(paymentId));
  waits.set(paymentId, waiting);
  return waiting;
}

async function submitOrWait(deps: Deps, partnerId: PartnerId, { paymentId }: Payment): Promise<Payment> {
  for (const pauseMs of PAUSES_MS) {
    const submitted = await submitIfFree(deps, paymentId);
    if (submitted !== undefined) return submitted;
    await wait(pauseMs);
    const { payment, isDone } = await look(deps, partnerId, paymentId);
    if (isDone) return payment;
  }
  throw inProgress();
}

/** One statement. */
async function look(
  deps: Deps,
  partnerId: PartnerId,
  paymentId: string,
): Promise<{ payment: Payment; isDone: boolean }> {
  const found = await findPartnerPaymentAt(deps.db, partnerId, paymentId);
  if (found === undefined) throw new Error('an idempotency record names a payment that is not there');
  const { payment, now } = found;
  return { payment, isDone: payment.status !== 'CREATED' || awaitsConsent(payment) || payment.expiresAt <= now };
}

const inProgress = () => new ApiError('IDEMPOTENCY_KEY_IN_PROGRESS', { retryAfterSeconds: 1 });

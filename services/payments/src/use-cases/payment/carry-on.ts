import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { findPartnerPaymentAt, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { awaitsConsent } from '../../domain/payment/consent.ts';
import { submitIfFree } from './submit-payment.ts';

/** The result of creating a payment, or of repeating the request. */
export type CreatedPayment = { readonly payment: Payment; readonly status: number; readonly replayed: boolean };

/** Pauses between a repeat's checks of a registration: two seconds in total. See spec/decisions#repeat-of-a-request. */
const PAUSES_MS = [100, 200, 400, 600, 700] as const;
/** How many payments the repeats in this process may wait for at once. */
const WAITS_MAX = 64;

/** Repeats for one payment wait together: many of them query no more often than one. */
const waits = new Map<string, Promise<Payment>>();

/**
 * Answers a repeat: the payment as it is now. If it is still CREATED, it is registered; if somebody else is doing that, the
 * repeat waits. @throws ApiError IDEMPOTENCY_KEY_IN_PROGRESS if that takes longer than two seconds, and at once
 * if too many payments are being waited for.
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

/** Reads the payment, in one statement. */
async function look(deps: Deps, partnerId: PartnerId, paymentId: string): Promise<{ payment: Payment; isDone: boolean }> {
  const found = await findPartnerPaymentAt(deps.db, partnerId, paymentId);
  if (found === undefined) throw new Error('an idempotency record names a missing payment');
  const { payment, now } = found;
  return { payment, isDone: payment.status !== 'CREATED' || awaitsConsent(payment) || payment.expiresAt <= now };
}

const inProgress = () => new ApiError('IDEMPOTENCY_KEY_IN_PROGRESS', { retryAfterSeconds: 1 });

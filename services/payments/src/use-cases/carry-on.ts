import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/time/clock.ts';
import { findPartnerPayment, type Payment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import { awaitsConsent } from '../domain/consent.ts';
import { submitIfFree } from './submit-payment.ts';

/** What creating a payment, or repeating that, ends with. */
export type CreatedPayment = { readonly payment: Payment; readonly status: number; readonly replayed: boolean };

/** How long a repeat waits for a registration that is going on, and how often it looks. Decisions: "repeat". */
const REPEAT_WAIT_MS = 2_000;
const REPEAT_LOOK_MS = 100;

/**
 * A repeat: the payment as it is now. One that is still CREATED is registered, if nobody does that already; else the
 * repeat waits for it. @throws ApiError IDEMPOTENCY_KEY_IN_PROGRESS when that takes longer than two seconds.
 */
export async function carryOn(deps: Deps, partnerId: string, paymentId: string): Promise<Payment> {
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

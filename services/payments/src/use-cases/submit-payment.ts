import type { Channel } from '../channels/channel.ts';
import { findPayment, takeRegisterLease, type Payment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import { findChannel } from './payment-channel.ts';
import { sendCharge } from './send-charge.ts';
import { settlePayment } from './settle-payment.ts';

/** One register call at a time: longer than the call's deadline of 10 s. */
export const REGISTER_LEASE_MS = 15_000;

/** The page of the hosted form that pays a payment. */
export function paymentUrl(deps: Deps, payment: Pick<Payment, 'formToken'>): string {
  return `${deps.formUrl}/pay/${payment.formToken}`;
}

/**
 * CREATED → SUBMITTED: registers a payment at the bank. The caller holds the register lease, taken in a transaction that
 * is committed. No answer leaves it CREATED: a repeat of the POST or the worker registers again, under the same id.
 */
export async function submitPayment(deps: Deps, payment: Payment, channel: Channel | undefined): Promise<Payment> {
  const result =
    channel === undefined
      ? ({ kind: 'not-sent' } as const)
      : await channel.register({
          operationId: payment.paymentId,
          amountKopecks: payment.amountKopecks,
          description: payment.description,
          expiresAt: payment.expiresAt,
          returnUrl: `${paymentUrl(deps, payment)}/return`,
        });
  return settlePayment(deps, payment.paymentId, result);
}

/** Registers a payment if nobody else does at the moment. Undefined when somebody does, or when it is registered. */
export async function submitIfFree(deps: Deps, paymentId: string): Promise<Payment | undefined> {
  const leased = await deps.db.transaction((tx) => takeRegisterLease(tx, paymentId, REGISTER_LEASE_MS));
  const payment = leased ? await findPayment(deps.db, paymentId) : undefined;
  if (payment === undefined) return undefined;
  const channel = await findChannel(deps, payment.routeId);
  return payment.method === 'CARD_BINDING'
    ? sendCharge(deps, payment, channel, 'again')
    : submitPayment(deps, payment, channel);
}

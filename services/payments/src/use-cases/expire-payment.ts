import { findPayment, type Payment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import type { Channel } from '../channels/channel.ts';
import type { Outcome } from '../domain/settlement.ts';
import { findChannel } from './payment-channel.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Ends a payment whose session is over: only after the bank said, at this moment, that it is not paid, and the order was
 * withdrawn there. No answer: the payment stays as it is and the worker comes back. Decisions: "unknown outcome".
 */
export async function expirePayment(deps: Deps, paymentId: string): Promise<void> {
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) return;
  const channel = await findChannel(deps, payment.routeId);
  const outcome: Outcome = channel === undefined ? { kind: 'not-sent' } : await askLastTime(channel, payment);
  await settlePayment(deps, paymentId, outcome);
}

async function askLastTime(channel: Channel, { paymentId }: Payment): Promise<Outcome> {
  const last = await channel.read(paymentId);
  if (last.kind === 'confirmed' || last.kind === 'declined' || last.kind === 'unknown' || last.kind === 'not-sent') {
    return last;
  }
  if (last.kind === 'registered' || last.kind === 'pending') {
    const withdrawn = await channel.cancel(paymentId);
    if (withdrawn.kind === 'confirmed' || withdrawn.kind === 'declined') return withdrawn;
  }
  return { kind: 'ended', failureCode: 'SESSION_EXPIRED' };
}

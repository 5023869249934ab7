import type { Channel } from '../channels/channel.ts';
import { findPayment, takeRegisterLease, type Payment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import type { ChannelResult } from '../domain/channel-result.ts';
import { findChannel } from './payment-channel.ts';
import { moveToNextRoute } from './route-payment.ts';
import { sendCharge } from './send-charge.ts';
import { settlePayment } from './settle-payment.ts';

/** One register call at a time: longer than the call's deadline of 10 s. */
export const REGISTER_LEASE_MS = 15_000;

/** The page of the hosted form that pays a payment. */
export function paymentUrl(deps: Deps, payment: Pick<Payment, 'formToken'>): string {
  return `${deps.formUrl}/pay/${payment.formToken}`;
}

/** Where the bank's own pages send the buyer: asks the bank how it went. */
export function bankReturnUrl(deps: Deps, payment: Pick<Payment, 'formToken'>): string {
  return `${paymentUrl(deps, payment)}/return`;
}

/**
 * CREATED → SUBMITTED: registers a payment at the bank for the first time. The caller holds the register lease, taken in a
 * transaction that is committed. A route that turns out to be down before anything was sent gives way to the next one. No
 * answer leaves it CREATED: a repeat of the POST or the worker registers again, under the same id and at the same route.
 */
export async function submitPayment(deps: Deps, payment: Payment, channel: Channel | undefined): Promise<Payment> {
  const tried = new Set<string>();
  let current = { payment, channel };
  for (;;) {
    tried.add(current.payment.routeId);
    const result = await registerAt(deps, current.payment, current.channel);
    const next =
      result.kind === 'not-sent' ? await moveToNextRoute(deps, current.payment, tried, REGISTER_LEASE_MS) : undefined;
    if (next === undefined) return settlePayment(deps, payment.paymentId, result);
    current = next;
  }
}

async function registerAt(deps: Deps, payment: Payment, channel: Channel | undefined): Promise<ChannelResult> {
  return channel === undefined ? { kind: 'not-sent' } : register(channel, payment, bankReturnUrl(deps, payment));
}

async function register(channel: Channel, payment: Payment, returnUrl: string): Promise<ChannelResult> {
  const { paymentId: operationId, amountKopecks, description, expiresAt } = payment;
  const savesCard = payment.consent === 'GIVEN';
  const order = { operationId, amountKopecks, description, expiresAt, returnUrl, savesCard };
  if (payment.method !== 'SBP_DYNAMIC_QR') return channel.register(order);
  const result = await channel.createQr(order);
  // A registered code that nobody can be shown is no answer: asked for again, under the same id.
  return result.kind === 'registered' && result.nspkUrl === null ? { kind: 'unknown' } : result;
}

/** Registers a payment if nobody else does at the moment. Undefined when somebody does, or when it is registered. */
export async function submitIfFree(deps: Deps, paymentId: string): Promise<Payment | undefined> {
  const before = await findPayment(deps.db, paymentId);
  const leased = await deps.db.transaction((tx) => takeRegisterLease(tx, paymentId, REGISTER_LEASE_MS));
  const payment = leased ? await findPayment(deps.db, paymentId) : undefined;
  if (payment === undefined) return undefined;
  const channel = await findChannel(deps, payment.routeId);
  if (payment.method === 'CARD_BINDING') return sendCharge(deps, payment, channel, 'again');
  // Nobody held the lease before, nor was an answer ever booked: nothing can have been sent.
  const isFirst = before?.registerLeaseUntil === null && payment.lastReadAt === null;
  if (isFirst) return submitPayment(deps, payment, channel);
  return settlePayment(deps, paymentId, await registerAt(deps, payment, channel));
}

import { clock } from '@pay/shared/time/clock.ts';
import { findPaymentByForm, type Payment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import { findChannel } from './payment-channel.ts';
import { readBack } from './read-back.ts';
import { settlePayment } from './settle-payment.ts';

/** A page that is reloaded again and again asks the bank once a second at most. */
const READ_EVERY_MS = 1_000;

/**
 * The 3-D Secure page sent the buyer's browser back: the bank is told to look how it went, then what it says is booked.
 * What the browser brought along is not read.
 */
export async function confirmThreeDs(deps: Deps, formToken: string): Promise<void> {
  const payment = await findPaymentByForm(deps.db, formToken);
  if (payment?.status !== 'PENDING') return;
  const channel = await findChannel(deps, payment.routeId);
  if (channel === undefined) return;
  const outcome = await channel.confirmThreeDs(payment.paymentId);
  // A card that is saved comes with the read.
  if (outcome.kind === 'confirmed' && payment.consent === 'GIVEN') await readBack(deps, payment.paymentId);
  else await settlePayment(deps, payment.paymentId, outcome);
}

/**
 * The buyer came back from the bank's page, or watches a code that he may have paid with another device: asks the bank
 * how it went. The buyer's word for it is not taken.
 */
export async function returnFromBank(deps: Deps, formToken: string): Promise<void> {
  const payment = await findPaymentByForm(deps.db, formToken);
  if (payment === undefined || !(payment.status === 'PENDING' || isPayableCode(payment))) return;
  const now = await clock(deps.db);
  const readJustNow = payment.lastReadAt !== null && now.getTime() - payment.lastReadAt.getTime() < READ_EVERY_MS;
  if (!readJustNow) await readBack(deps, payment.paymentId);
}

const isPayableCode = ({ method, status }: Payment) => method === 'SBP_DYNAMIC_QR' && status === 'SUBMITTED';

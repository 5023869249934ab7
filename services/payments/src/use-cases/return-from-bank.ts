import { setTimeout as wait } from 'node:timers/promises';
import { clock } from '@pay/shared/time/clock.ts';
import { UNDECIDED } from '../db/leases.ts';
import { findPaymentByForm, type Payment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import { findChannel } from './payment-channel.ts';
import { readBack } from './read-back.ts';
import { settlePayment } from './settle-payment.ts';
import { underLease } from './under-lease.ts';

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
  const { paymentId } = payment;
  const outcome = await underLease(deps, paymentId, UNDECIDED, (fence) => channel.confirmThreeDs(paymentId, fence));
  // A card that is saved comes with the read.
  if (outcome.kind === 'confirmed' && payment.consent === 'GIVEN') await readBack(deps, payment.paymentId);
  else await settlePayment(deps, payment.paymentId, outcome);
}

/** The buyer watches a code or a page that waits: asks the bank how it stands, unless it was asked just now. */
export async function watchBank(deps: Deps, formToken: string): Promise<void> {
  const awaited = await findAwaited(deps, formToken);
  if (awaited?.readInMs === 0) await readBack(deps, awaited.paymentId);
}

/**
 * The buyer came back from the bank's page: asks the bank how it went; the buyer's word for it is not taken. What the
 * bank said a moment before he decided is not the answer, so where it was asked just now, the second is waited out.
 */
export async function returnFromBank(deps: Deps, formToken: string): Promise<void> {
  const before = await findAwaited(deps, formToken);
  if (before === undefined) return;
  await wait(before.readInMs);
  const now = await findAwaited(deps, formToken);
  // Otherwise it was asked meanwhile, and so after the buyer came back.
  if (now?.lastReadAtMs === before.lastReadAtMs) await readBack(deps, before.paymentId);
}

type Awaited = { readonly paymentId: string; readonly lastReadAtMs: number; readonly readInMs: number };

/** A payment that the bank may have news of, and in how long it may be asked. */
async function findAwaited(deps: Deps, formToken: string): Promise<Awaited | undefined> {
  const payment = await findPaymentByForm(deps.db, formToken);
  if (payment === undefined || !(payment.status === 'PENDING' || isPayableCode(payment))) return undefined;
  const { paymentId, lastReadAt } = payment;
  const lastReadAtMs = lastReadAt?.getTime() ?? 0;
  const readAgoMs = (await clock(deps.db)).getTime() - lastReadAtMs;
  return { paymentId, lastReadAtMs, readInMs: Math.min(READ_EVERY_MS, Math.max(0, READ_EVERY_MS - readAgoMs)) };
}

const isPayableCode = ({ method, status }: Payment) => method === 'SBP_DYNAMIC_QR' && status === 'SUBMITTED';

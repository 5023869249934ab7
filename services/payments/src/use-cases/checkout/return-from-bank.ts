import { setTimeout as wait } from 'node:timers/promises';
import { clock } from '@pay/shared/postgres/clock.ts';
import { inTraceOf } from '@pay/shared/telemetry/tracing.ts';
import { UNDECIDED } from '../../db/payment/leases.ts';
import { findPaymentByCheckout, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { paysBySbp } from '../../domain/payment/sbp-order.ts';
import { askBankOnce, HOLD_MS } from '../payment/ask-bank-once.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { readBack, wantedOf } from '../payment/read-back.ts';
import { recordOutcome } from '../payment/record-outcome.ts';
import { registerNextOrder } from '../payment/register-next-order.ts';
import { underLease } from '../payment/under-lease.ts';

/**
 * The 3-D Secure page sent the buyer's browser back: makes the bank check the result, and books it. Data from the browser is
 * not read. If the bank was asked a moment ago, this waits for the rest of that second, once: that request may have
 * come before the buyer was done, and who made it is unknown (spec/findings#m7).
 */
export async function confirmThreeDs(deps: Deps, checkoutToken: string): Promise<void> {
  const payment = await findPaymentByCheckout(deps.db, checkoutToken);
  if (payment?.status !== 'PENDING') return;
  const { paymentId } = payment;
  const confirm = () =>
    askBankOnce(deps, paymentId, 'CONFIRM', () => inTraceOf('confirm 3-D Secure', payment.traceparent, () => confirmAt(deps, payment)));
  if (await confirm()) return;
  await wait(HOLD_MS);
  await confirm();
}

async function confirmAt(deps: Deps, payment: Payment): Promise<void> {
  const acquirer = await findAcquirer(deps, payment.routeId);
  if (acquirer === undefined) return;
  const { paymentId } = payment;
  const outcome = await underLease(deps, paymentId, UNDECIDED, (fence) =>
    acquirer.confirmThreeDs(operationOf(payment), fence, wantedOf(payment)),
  );
  // The token of a saved card comes with the read.
  if (outcome.kind === 'confirmed' && payment.consent === 'GIVEN') await readBack(deps, payment.paymentId);
  else await registerNextOrder(deps, await recordOutcome(deps, payment, outcome));
}

/** The buyer is watching a QR code or a waiting page: reads the payment at the bank, unless it was just read. */
export async function watchBank(deps: Deps, checkoutToken: string): Promise<void> {
  const awaited = await findAwaited(deps, checkoutToken);
  if (awaited?.readInMs === 0) await readOnce(deps, awaited.paymentId);
}

/**
 * The buyer came back from the bank's page: asks the bank for the result and ignores what the browser says. An answer from
 * before the buyer decided is useless, so if the bank was just asked, this waits for the rest of that second.
 */
export async function returnFromBank(deps: Deps, checkoutToken: string): Promise<void> {
  const before = await findAwaited(deps, checkoutToken);
  if (before === undefined) return;
  await wait(before.readInMs);
  const now = await findAwaited(deps, checkoutToken);
  // Otherwise it was asked in the meantime, and so after the buyer came back.
  if (now?.lastReadAtMs === before.lastReadAtMs) await readOnce(deps, before.paymentId);
}

const readOnce = (deps: Deps, paymentId: string) =>
  askBankOnce(deps, paymentId, 'READ', async () => {
    await readBack(deps, paymentId);
  });

type Awaited = { readonly paymentId: string; readonly lastReadAtMs: number; readonly readInMs: number };

/** A payment about which the bank may have news, and when the bank may be asked. */
async function findAwaited(deps: Deps, checkoutToken: string): Promise<Awaited | undefined> {
  const payment = await findPaymentByCheckout(deps.db, checkoutToken);
  if (payment === undefined || !(payment.status === 'PENDING' || isQrCode(payment))) return undefined;
  const { paymentId, lastReadAt } = payment;
  const lastReadAtMs = lastReadAt?.getTime() ?? 0;
  const readAgoMs = (await clock(deps.db)).getTime() - lastReadAtMs;
  return { paymentId, lastReadAtMs, readInMs: Math.min(HOLD_MS, Math.max(0, HOLD_MS - readAgoMs)) };
}

const isQrCode = (payment: Payment) => paysBySbp(payment) && payment.status === 'SUBMITTED';

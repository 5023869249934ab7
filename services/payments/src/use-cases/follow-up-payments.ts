import { inTransaction } from '@pay/shared/database/database.ts';
import type { Loop } from '@pay/shared/service/loop.ts';
import { clock } from '@pay/shared/time/clock.ts';
import { changePayment, claimDuePayments, findPayment, lockPayment, type Payment } from '../db/payments.ts';
import { whyHeld } from '../db/standings.ts';
import type { Deps } from '../deps.ts';
import { isOpen } from '../domain/payment-status.ts';
import { expirePayment } from './expire-payment.ts';
import { readBack } from './read-back.ts';
import { submitIfFree } from './submit-payment.ts';

/** Looked at in one round, all at once: each waits for the bank, none holds a connection meanwhile. */
const BATCH = 20;
const INTERVAL_MS = 1_000;

/** The worker: finishes registrations, reads unknown outcomes back, ends sessions. Replicas share the work by leases. */
export function followUpLoop(deps: Deps): Loop {
  return {
    name: 'follow-up-payments',
    intervalMs: INTERVAL_MS,
    round: async () => ((await followUpDuePayments(deps)) === BATCH ? 'more' : 'done'),
  };
}

/** Looks at the payments that are due, at most one batch. Returns how many. */
export async function followUpDuePayments(deps: Deps): Promise<number> {
  const due = await deps.db.transaction((tx) => claimDuePayments(tx, BATCH));
  await Promise.all(
    due.map((paymentId) =>
      followUp(deps, paymentId).catch((err: unknown) => {
        // Its lease runs out in a minute; the others of the batch go on.
        deps.log.error('a payment could not be followed up', { paymentId, err });
      }),
    ),
  );
  return due.length;
}

async function followUp(deps: Deps, paymentId: string): Promise<void> {
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) return;
  const now = await clock(deps.db);
  const isOver = isOpen(payment.status) && now >= payment.expiresAt;
  if (isOver && !(await keptForResume(deps, payment, now))) await expirePayment(deps, paymentId);
  else if (payment.status === 'CREATED') await submitIfFree(deps, paymentId);
  else await readBack(deps, paymentId);
}

/** How long a charge may take once its partner is resumed. */
const AFTER_RESUME_MS = 3_600_000;

/** A charge that waits because its partner, point or route is suspended does not end meanwhile. ADR 0101. */
async function keptForResume(deps: Deps, payment: Payment, now: Date): Promise<boolean> {
  if (payment.method !== 'CARD_BINDING' || payment.status !== 'CREATED') return false;
  if ((await whyHeld(deps.db, payment)) !== 'suspended') return false;
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockPayment(tx, payment.paymentId);
    if (locked.status !== 'CREATED') return false;
    await changePayment(tx, payment.paymentId, { expiresAt: new Date(now.getTime() + AFTER_RESUME_MS) });
    return true;
  });
}

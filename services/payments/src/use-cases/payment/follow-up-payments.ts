import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { inKnownTransaction, inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { sideBySideLoop } from '@pay/shared/service/side-by-side.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import {
  changePayment,
  claimDuePayments,
  findPayment,
  listRoutesWithDuePayments,
  lockPayment,
  type Payment,
} from '../../db/payment/payments.ts';
import { whyHeld } from '../../db/payment/standings.ts';
import type { Deps } from '../../deps.ts';
import { awaitsNextOrder } from '../../domain/payment/next-card.ts';
import { isOpen } from '../../domain/payment/payment-status.ts';
import { BY_ROUTE } from '../acquiring/by-acquiring-route.ts';
import { expirePayment } from './expire-payment.ts';
import { readBack } from './read-back.ts';
import { registerNextOrder } from './register-next-order.ts';
import { submitIfFree } from './submit-payment.ts';

/** A claim lasts a minute; an unavailable database is waited for almost as long. */
const REPEATED_FOR_MS = 50_000;

/** The worker that completes registrations, reads unknown outcomes back and ends sessions. Replicas share the work by leases. */
export function followUpLoop(deps: Deps): Loop {
  return sideBySideLoop({
    ...BY_ROUTE,
    name: 'follow-up-payments',
    intervalMs: 1_000,
    log: deps.log,
    parties: () => listRoutesWithDuePayments(deps.db),
    claim: (routeId, limit) => inKnownTransaction(deps.db, (tx) => claimDuePayments(tx, routeId, limit)),
    one: (paymentId) =>
      repeatWhileUnavailable(REPEATED_FOR_MS, () => followUp(deps, paymentId)).catch((err: unknown) => {
        // Its lease expires within a minute.
        deps.log.error('a payment could not be followed up', { paymentId, err });
      }),
  });
}

async function followUp(deps: Deps, paymentId: string): Promise<void> {
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) return;
  const now = await clock(deps.db);
  const isOver = isOpen(payment.status) && now >= payment.expiresAt;
  if (isOver && !(await keptForResume(deps, payment, now))) await expirePayment(deps, paymentId);
  else if (payment.status === 'CREATED') await submitIfFree(deps, paymentId);
  else if (awaitsNextOrder(payment)) await registerNextOrder(deps, payment);
  else await readBack(deps, paymentId);
}

/** How long a charge may take after its partner is resumed. */
const AFTER_RESUME_MS = 3_600_000;

/**
 * Keeps a charge from ending while it waits because its partner, point or route is suspended. See decisions/suspension.
 */
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

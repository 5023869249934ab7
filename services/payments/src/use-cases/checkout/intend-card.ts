import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isAway } from '@pay/shared/postgres/errors.ts';
import { inPipeline } from '@pay/shared/postgres/fast/pipeline.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { inKnownTransaction, inTransaction } from '@pay/shared/postgres/transaction.ts';
import { stopwatch } from '@pay/shared/time/wall-clock.ts';
import { insertStatement } from '../../db/checkout/card-attempts.ts';
import { findIntent, revertIntent, takeForCard, takenBy, takeStatement, type Admission } from '../../db/checkout/card-entry.ts';
import { fenceJustTaken, fenceOf, leaseOf } from '../../db/payment/leases.ts';
import type { Payment, PaymentAt } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import type { PaymentSeen } from '../payment/record-outcome.ts';
import { payerKeySha256 } from './payer.ts';

/** A payment that this call, and no other, sends a card for: as the intent left it, and the fence of its lease. */
export type IntendedCard = { readonly seen: PaymentSeen; readonly fence: Fence };

/** How long the caller waits to learn whether its intent was committed, and how long it is looked up after that. */
const KNOWN_WITHIN_MS = 1_500;
const KNOWN_LATE_MS = 60_000;

/**
 * Commits the intent to send a card, in one round trip. If its answer is lost, the result is looked up by the intent's id, because
 * nobody else has the card: an intent without a card would end the payment a minute later, and lose the sale. If the result is known
 * too late, the intent is reverted: the buyer was told to try again. Undefined if the payment is not as it was read, or not
 * admitted: then `intendCard` decides.
 */
export async function intendOptimistically(
  deps: Deps,
  read: Payment,
  payerKey: string | undefined,
  admission?: Admission,
): Promise<IntendedCard | undefined> {
  const intent = intentOf(read, payerKey);
  const elapsedMs = stopwatch();
  const state = { isSent: false };
  try {
    const [rows] = await inPipeline(
      deps.db,
      (tx) => {
        state.isSent = true;
        return [takeStatement(tx, read, intent, admission)];
      },
      // Committed first, as `insertCardAttempt` says.
      admission?.kind === 'fresh' ? insertStatement(admission.attempt) : undefined,
    );
    const taken = takenBy(rows);
    if (taken === undefined) return undefined;
    const intended = intendedBy(deps, taken);
    return { ...intended, fence: fenceJustTaken(intended.fence, elapsedMs) };
  } catch (error) {
    if (!state.isSent || !isAway(error)) throw error;
    return intendedBy(deps, await lookUp(deps, read, intent.intentId, error));
  }
}

/**
 * As `intendOptimistically`, whoever had the payment's lease meanwhile. Undefined if somebody else was first, or the payment takes no card.
 */
export async function intendCard(deps: Deps, read: Payment, payerKey: string | undefined): Promise<IntendedCard | undefined> {
  const intent = intentOf(read, payerKey);
  const taken = await inKnownTransaction(
    deps.db,
    (tx) => takeForCard(tx, read.paymentId, intent),
    async (late) => {
      if (late !== undefined) await forgetIntent(deps, late.payment);
    },
  );
  return taken === undefined ? undefined : intendedBy(deps, taken);
}

const intentOf = ({ declinedCount }: Payment, payerKey: string | undefined) => ({
  intentId: randomUUID(),
  payerKeySha256: payerKeySha256(payerKey),
  declinedCount,
});

const intendedBy = (deps: Deps, taken: PaymentAt): IntendedCard => ({
  seen: { ...taken, seenAtMs: performance.now() },
  fence: fenceOf(deps.db, leaseOf(taken.payment)),
});

/** The intent whose answer was lost. @throws `lost` if it was not committed, or if that is not known in time */
async function lookUp(deps: Deps, read: Payment, intentId: string, lost: unknown): Promise<PaymentAt> {
  const find = (forMs: number) => repeatWhileUnavailable(forMs, () => inTransaction(deps.db, (tx) => findIntent(tx, read, intentId)));
  const found = await find(KNOWN_WITHIN_MS).catch(() => {
    void find(KNOWN_LATE_MS).then(
      (late) => (late === undefined ? undefined : forgetIntent(deps, late.payment)),
      // If this is never known, the caller is no worse off than after a crash of the process.
      () => undefined,
    );
    throw lost;
  });
  if (found === undefined) throw lost;
  return found;
}

/** The buyer is waiting for the answer. */
const FORGOTTEN_WITHIN_MS = 1_500;
/** How long reverting is retried. After that the worker reads the payment (`read-back.ts`) and finds that the card was lost. */
const FORGOTTEN_LATE_MS = 50_000;

/** Reverts an intent after which nothing was sent. If the database takes longer than a buyer waits, that happens once it is back. */
export async function forgetIntent(deps: Deps, intended: Payment): Promise<void> {
  const forgotten = repeatWhileUnavailable(FORGOTTEN_LATE_MS, () => inTransaction(deps.db, (tx) => revertIntent(tx, intended))).catch(
    (err: unknown) => {
      deps.log.error('an intent to send a card could not be reverted', { paymentId: intended.paymentId, err });
    },
  );
  await Promise.race([forgotten, wait(FORGOTTEN_WITHIN_MS, undefined, { ref: false })]);
}

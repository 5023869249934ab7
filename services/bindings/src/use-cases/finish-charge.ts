import { receiptStatement, receiveOnce } from '@pay/shared/inbox/inbox.ts';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inPipeline } from '@pay/shared/postgres/fast/pipeline.ts';
import { isMissed } from '@pay/shared/postgres/fast/value-if.ts';
import { freeSlot, lockBinding } from '../db/bindings.ts';
import { endCharge, type ChargeEnd } from '../db/charges.ts';
import { endedChargeStatement, findFinishable, freedSlotStatement, type Finishable } from '../db/finishable.ts';
import { scheduleAfter, type Schedule } from '../domain/charge-period.ts';

/** The final result of a charge, as reported by payments. */
export type ChargeResult = ChargeEnd & { readonly bindingId: string };

/**
 * Ends a charge once per message: stores its result and frees the slot. Only a success begins a new period. See
 * spec/decisions#base-of-the-period. Usually in two round trips, decided on one read (decisions/round-trips); otherwise
 * under the binding's lock, which leaves the same rows.
 * @throws Error if no binding waits for it
 */
export async function finishCharge(db: Db, messageId: string, result: ChargeResult): Promise<void> {
  if (await finishOptimistically(db, messageId, result)) return;
  await receiveOnce(db, messageId, (tx) => finishLocked(tx, result));
}

/** The ordinary case. False otherwise: then nothing is stored. */
async function finishOptimistically(db: Db, messageId: string, result: ChargeResult): Promise<boolean> {
  const seen = await findFinishable(db, result);
  if (seen === undefined) return false;
  try {
    await inPipeline(db, (tx) => [
      receiptStatement(tx, messageId),
      freedSlotStatement(tx, result.bindingId, seen, nextSchedule(seen, result)),
      endedChargeStatement(tx, result),
    ]);
    return true;
  } catch (error) {
    if (!isMissed(error) && violatedConstraint(error) === undefined) throw error;
    return false;
  }
}

async function finishLocked(tx: Tx, result: ChargeResult): Promise<void> {
  const { bindingId, paymentId } = result;
  const binding = await lockBinding(tx, bindingId);
  const charge = binding?.openPaymentId === paymentId ? await endCharge(tx, result) : undefined;
  if (binding === undefined || charge === undefined) throw new Error('received the end of a charge that no binding waits for');
  await freeSlot(tx, bindingId, nextSchedule({ ...binding, acceptedAt: charge.createdAt }, result));
}

function nextSchedule(
  { acceptedAt, ...before }: Omit<Finishable, 'rowVersion'>,
  { status, occurredAt }: ChargeResult,
): Schedule | undefined {
  if (status !== 'COMPLETED') return undefined;
  return scheduleAfter(before, { acceptedAt, confirmedAt: occurredAt }, before.period);
}

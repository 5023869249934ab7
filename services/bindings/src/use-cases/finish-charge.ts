import type { Tx } from '@pay/shared/postgres/db.ts';
import { freeSlot, lockBinding } from '../db/bindings.ts';
import { finishCharge, type ChargeEnd } from '../db/charges.ts';
import { scheduleAfter } from '../domain/charge-period.ts';

/** The final result of a charge, as reported by payments. */
export type ChargeResult = ChargeEnd & { readonly bindingId: string };

/** Frees the slot. Only a success begins a new period. See spec/decisions#base-of-the-period. */
export async function recordChargeResult(tx: Tx, result: ChargeResult): Promise<void> {
  const { bindingId, paymentId, status, occurredAt } = result;
  const binding = await lockBinding(tx, bindingId);
  const charge = binding?.openPaymentId === paymentId ? await finishCharge(tx, result) : undefined;
  if (binding === undefined || charge === undefined)
    throw new Error('received the end of a charge that no binding waits for');
  const charged = { acceptedAt: charge.createdAt, confirmedAt: occurredAt };
  const schedule = status === 'COMPLETED' ? scheduleAfter(binding, charged, binding.period) : undefined;
  await freeSlot(tx, bindingId, schedule);
}

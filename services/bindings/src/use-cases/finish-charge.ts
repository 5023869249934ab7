import type { Tx } from '@pay/shared/database/database.ts';
import { freeSlot, lockBinding } from '../db/bindings.ts';
import { finishCharge } from '../db/charges.ts';
import { scheduleAfter } from '../domain/charge-period.ts';
import type { FinalChargeStatus } from '../domain/charge-status.ts';

/** The final result of a charge, as payments tells it. */
export type ChargeResult = {
  readonly bindingId: string;
  readonly paymentId: string;
  readonly status: FinalChargeStatus;
  readonly occurredAt: Date;
};

/** Frees the slot; a success, and only a success, begins a new period. Decisions "the period's base". */
export async function recordChargeResult(tx: Tx, result: ChargeResult): Promise<void> {
  const { bindingId, paymentId, status, occurredAt } = result;
  const binding = await lockBinding(tx, bindingId);
  const charge = binding?.openPaymentId === paymentId ? await finishCharge(tx, paymentId, status) : undefined;
  if (binding === undefined || charge === undefined) throw new Error('a charge ended that no binding waits for');
  const charged = { acceptedAt: charge.createdAt, confirmedAt: occurredAt };
  const schedule = status === 'COMPLETED' ? scheduleAfter(binding, charged, binding.period) : undefined;
  await freeSlot(tx, bindingId, schedule);
}

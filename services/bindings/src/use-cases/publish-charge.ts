import type { BindingFact } from '@pay/contract/messages.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import type { Binding } from '../db/bindings.ts';

/** Publishes the event of a binding's move, in the transaction of the move. */
export async function publishCharge(
  tx: Tx,
  type: 'binding.created' | 'binding.revoked' | 'binding.expired',
  binding: Binding,
  occurredAt: Date,
): Promise<void> {
  const { bindingId, partnerId, customerId, status, consentId, period, aggregateVersion } = binding;
  const payload: BindingFact = {
    partnerId,
    bindingId,
    aggregateVersion,
    customerId,
    status,
    consentId,
    period,
    nextChargeAt: binding.nextChargeAt.toISOString(),
    occurredAt: occurredAt.toISOString(),
  };
  await appendToOutbox(tx, { type, aggregateId: bindingId, occurredAt, payload });
}

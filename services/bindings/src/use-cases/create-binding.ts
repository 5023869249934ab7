import type { PaymentCompleted } from '@pay/contract/messages.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { insertBinding } from '../db/bindings.ts';
import { firstSchedule } from '../domain/charge-period.ts';
import { publishCharge } from './publish-charge.ts';

/** Creates the binding of a first payment that saved a card. See spec/service-contract#binding-states. */
export async function createBinding(
  tx: Tx,
  partnerId: PartnerId,
  savedCard: NonNullable<PaymentCompleted['savedCard']>,
  chargedAt: Date,
): Promise<void> {
  const { cardMask = null, cardExpiry = null, ...rest } = savedCard;
  const schedule = firstSchedule(chargedAt, savedCard.period);
  const binding = { ...rest, ...schedule, partnerId, cardMask, cardExpiry, status: 'ACTIVE' as const };
  const created = await insertBinding(tx, { ...binding, aggregateVersion: 1 });
  if (created !== undefined) await publishCharge(tx, 'binding.created', created, created.createdAt);
}

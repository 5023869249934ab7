import { desc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { alerts, operatorActions } from './schema.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type ActionRow = typeof operatorActions.$inferSelect;

/** Records what an operator did, in the transaction that did it. */
export async function insertAction(
  tx: Tx,
  action: { operator: OperatorLogin; action: string; partnerId: PartnerId; details: Readonly<Record<string, unknown>> },
): Promise<void> {
  await tx.insert(operatorActions).values(action);
}

/** Newest first. */
export async function listActions(reader: Reader, partnerId: PartnerId | undefined, limit: number): Promise<ActionRow[]> {
  return reader
    .select()
    .from(operatorActions)
    .where(partnerId === undefined ? undefined : eq(operatorActions.partnerId, partnerId))
    .orderBy(desc(operatorActions.id))
    .limit(limit);
}

/** Newest first. */
export async function listAlerts(reader: Reader, partnerId: PartnerId | undefined, limit: number): Promise<AlertRow[]> {
  return reader
    .select()
    .from(alerts)
    .where(partnerId === undefined ? undefined : eq(alerts.partnerId, partnerId))
    .orderBy(desc(alerts.id))
    .limit(limit);
}

import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { desc, eq } from 'drizzle-orm';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { operatorAudit } from './schema.ts';

export type AuditEntry = Omit<typeof operatorAudit.$inferInsert, 'position' | 'at'>;

/** Writes what an operator did, in the transaction that did it. */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.insert(operatorAudit).values(entry);
}

export type AuditRow = typeof operatorAudit.$inferSelect;

/** The newest entries about one partner. */
export function listAudit(reader: Reader, partnerId: PartnerId, limit: number): Promise<AuditRow[]> {
  return reader
    .select()
    .from(operatorAudit)
    .where(eq(operatorAudit.partnerId, partnerId))
    .orderBy(desc(operatorAudit.position))
    .limit(limit);
}

import type { Tx } from '@pay/shared/database/database.ts';
import { operatorAudit } from './schema.ts';

export type AuditEntry = Omit<typeof operatorAudit.$inferInsert, 'position' | 'at'>;

/** Writes what an operator did, in the transaction that did it. */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.insert(operatorAudit).values(entry);
}

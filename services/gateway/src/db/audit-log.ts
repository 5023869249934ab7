import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { desc, eq } from 'drizzle-orm';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { operatorAudit } from './schema.ts';

/** One thing that an operator did. */
export type AuditRow = Readonly<typeof operatorAudit.$inferSelect>;

type AuditedAction = {
  readonly operator: OperatorLogin;
  readonly action: string;
  readonly partnerId: PartnerId;
  readonly keyId?: string;
  /** A description of the change. */
  readonly detail?: string;
};

/** Records what an operator did, in the transaction that did it. */
export async function appendAudit(tx: Tx, audited: AuditedAction): Promise<void> {
  await tx.insert(operatorAudit).values({ ...audited, requestId: currentRequestId() ?? null });
}

/** The newest entries about one partner. */
export function listAudit(reader: Reader, partnerId: PartnerId, limit: number): Promise<AuditRow[]> {
  return reader
    .select()
    .from(operatorAudit)
    .where(eq(operatorAudit.partnerId, partnerId))
    .orderBy(desc(operatorAudit.position))
    .limit(limit);
}

import { and, desc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { operatorAudit, type AuditState } from './schema.ts';

/** One thing that an operator did. */
export type AuditRow = Readonly<typeof operatorAudit.$inferSelect>;

type AuditedAction = {
  readonly operator: OperatorLogin;
  readonly action: string;
  readonly subjectId: string;
  readonly partnerId: PartnerId;
  /** Null if the action created the subject. */
  readonly before: AuditState | null;
  readonly after: AuditState;
};

/** Records what an operator did, in the transaction that did it. */
export async function appendAudit(tx: Tx, audited: AuditedAction): Promise<void> {
  await tx.insert(operatorAudit).values({ ...audited, requestId: currentRequestId() ?? null });
}

/** Newest first. */
export async function listAudit(
  reader: Reader,
  filter: { readonly subjectId?: string | undefined; readonly partnerId?: PartnerId | undefined },
  limit: number,
): Promise<AuditRow[]> {
  const { subjectId, partnerId } = filter;
  return reader
    .select()
    .from(operatorAudit)
    .where(
      and(
        subjectId === undefined ? undefined : eq(operatorAudit.subjectId, subjectId),
        partnerId === undefined ? undefined : eq(operatorAudit.partnerId, partnerId),
      ),
    )
    .orderBy(desc(operatorAudit.position))
    .limit(limit);
}

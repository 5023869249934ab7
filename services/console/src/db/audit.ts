import { and, desc, eq, gte, lt } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { audit } from './schema.ts';

/** One line of the audit log. */
export type AuditRow = Readonly<typeof audit.$inferSelect>;

export async function appendAudit(tx: Tx, row: Omit<typeof audit.$inferInsert, 'position' | 'at'>): Promise<void> {
  await tx.insert(audit).values(row);
}

export type AuditFilter = {
  readonly operator?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Included. */
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
};

/** Newest first, starting after position `before`. */
export async function listAudit(
  reader: Reader,
  filter: AuditFilter,
  before: bigint | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const { operator, action, subjectId, from, to } = filter;
  return reader
    .select()
    .from(audit)
    .where(
      and(
        operator === undefined ? undefined : eq(audit.operator, operator),
        action === undefined ? undefined : eq(audit.action, action),
        subjectId === undefined ? undefined : eq(audit.subjectId, subjectId),
        from === undefined ? undefined : gte(audit.at, from),
        to === undefined ? undefined : lt(audit.at, to),
        before === undefined ? undefined : lt(audit.position, before),
      ),
    )
    .orderBy(desc(audit.position))
    .limit(limit);
}

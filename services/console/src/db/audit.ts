import { and, desc, eq, getTableColumns, gte, lt, not, or, sql, type SQL } from 'drizzle-orm';
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
export async function listAudit(reader: Reader, filter: AuditFilter, before: bigint | undefined, limit: number): Promise<AuditRow[]> {
  return reader.select().from(audit).where(matches(filter, before)).orderBy(desc(audit.position)).limit(limit);
}

function matches({ operator, action, subjectId, from, to }: AuditFilter, before: bigint | undefined): SQL | undefined {
  return and(
    operator === undefined ? undefined : eq(audit.operator, operator),
    action === undefined ? undefined : eq(audit.action, action),
    subjectId === undefined ? undefined : eq(audit.subjectId, subjectId),
    from === undefined ? undefined : gte(audit.at, from),
    to === undefined ? undefined : lt(audit.at, to),
    before === undefined ? undefined : lt(audit.position, before),
  );
}

/** One action: its answer, with what was asked. Without an answer, `kind` is ASKED and `after` is what was asked. */
export type AuditedAction = AuditRow & {
  readonly asked: { readonly before: unknown; readonly after: unknown } | null;
};

/** Newest first, starting after position `before`. A row that was asked stands for itself until its answer is there. */
export async function listAuditedActions(
  reader: Reader,
  filter: AuditFilter,
  before: bigint | undefined,
  limit: number,
): Promise<AuditedAction[]> {
  // Both are found by the subject's index, close to the row.
  const asked = sql<AuditedAction['asked']>`(
    select json_build_object('before', asked.before, 'after', asked.after) from audit asked
    where asked.subject_id = audit.subject_id and asked.position < audit.position
      and asked.request_id = audit.request_id and asked.action = audit.action and asked.kind = 'ASKED'
    order by asked.position desc limit 1)`;
  const isAnswered = sql`exists (
    select from audit answered
    where answered.subject_id = audit.subject_id and answered.position > audit.position
      and answered.request_id = audit.request_id and answered.action = audit.action and answered.kind = 'ANSWERED')`;
  return reader
    .select({ ...getTableColumns(audit), asked })
    .from(audit)
    .where(and(matches(filter, before), or(eq(audit.kind, 'ANSWERED'), not(isAnswered))))
    .orderBy(desc(audit.position))
    .limit(limit);
}

import { desc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { operatorActions, type ActionState } from './schema.ts';

/** One thing that an operator did. */
export type OperatorAction = Readonly<typeof operatorActions.$inferSelect>;

type AuditedAction = {
  readonly operator: OperatorLogin;
  readonly action: string;
  readonly subjectId: string;
  /** Null where the action made the subject. */
  readonly before: ActionState | null;
  readonly after: ActionState;
};

/** Writes what an operator did, in the transaction that did it. Amounts are texts in it. */
export async function insertAction(tx: Tx, audited: AuditedAction): Promise<void> {
  await tx.insert(operatorActions).values({ ...audited, requestId: currentRequestId() ?? null });
}

/** The newest first; of one subject, where it is given. */
export async function listActions(
  reader: Reader,
  subjectId: string | undefined,
  limit: number,
): Promise<OperatorAction[]> {
  return reader
    .select()
    .from(operatorActions)
    .where(subjectId === undefined ? undefined : eq(operatorActions.subjectId, subjectId))
    .orderBy(desc(operatorActions.position))
    .limit(limit);
}

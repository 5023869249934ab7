import { desc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { operatorActions, type ActionState } from './schema.ts';

/** One action of an operator. */
export type OperatorAction = Readonly<typeof operatorActions.$inferSelect>;

type AuditedAction = {
  readonly operator: OperatorLogin;
  readonly action: string;
  readonly subjectId: string;
  /** Null if the action created the subject. */
  readonly before: ActionState | null;
  readonly after: ActionState;
};

/** Records an operator's action, in the transaction of the action. Amounts are strings in it. */
export async function insertAction(tx: Tx, audited: AuditedAction): Promise<void> {
  await tx.insert(operatorActions).values({ ...audited, requestId: currentRequestId() ?? null });
}

/** Actions, newest first; of one subject, if given. */
export async function listActions(reader: Reader, subjectId: string | undefined, limit: number): Promise<OperatorAction[]> {
  return reader
    .select()
    .from(operatorActions)
    .where(subjectId === undefined ? undefined : eq(operatorActions.subjectId, subjectId))
    .orderBy(desc(operatorActions.position))
    .limit(limit);
}

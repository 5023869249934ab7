import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { appendAudit } from '../db/audit.ts';
import type { Action } from '@pay/shared/operators/roles.ts';
import type { SignedIn } from '../sign-in/session.ts';

/** An action of one person on one thing. */
export type AuditedAction = {
  readonly signedIn: Pick<SignedIn, 'login' | 'role'>;
  readonly action: Action;
  readonly subjectId: string;
  /** The subject's state before. */
  readonly before: unknown;
  /** The request. */
  readonly asked: unknown;
};

type Done<T> = { readonly status: number; readonly after: unknown; readonly result: T };

/**
 * Carries out an action between two rows of the audit log: one before, so that nothing is done without a trace whatever
 * breaks, and one with the answer. If the second is missing, the called service's audit log has the outcome, under the
 * same request id.
 */
export async function actOnRecord<T>(db: Db, audited: AuditedAction, run: () => Promise<Done<T>>): Promise<T> {
  const { signedIn, action, subjectId, before, asked } = audited;
  const row = {
    requestId: currentRequestId() ?? '',
    operator: signedIn.login,
    role: signedIn.role,
    action,
    subjectId,
  };
  await inTransaction(db, (tx) => appendAudit(tx, { ...row, kind: 'ASKED', status: null, before, after: asked }));
  const { status, after, result } = await run();
  await inTransaction(db, (tx) => appendAudit(tx, { ...row, kind: 'ANSWERED', status, before: null, after }));
  return result;
}

import type { Tx } from '@pay/shared/postgres/db.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { appendAudit } from '../db/audit.ts';
import type { Action, Role } from '@pay/shared/operators/roles.ts';

/** Who changes an account. */
/** Who acts by a command on the server: the name in the audit log, not an account. */
export const SERVER = { login: 'server', role: 'admin' } as const;

export type By = { readonly login: string; readonly role: Role };

type AuditedAccountAction = {
  readonly action: Action;
  readonly login: string;
  readonly before: unknown;
  readonly after: unknown;
};

/** Adds an audit row about an account, in the transaction that changes it. */
export async function appendAccountAudit(tx: Tx, by: By, audited: AuditedAccountAction): Promise<void> {
  const { action, login, before, after } = audited;
  await appendAudit(tx, {
    requestId: currentRequestId() ?? '',
    operator: by.login,
    role: by.role,
    action,
    subjectId: login,
    kind: 'ANSWERED',
    status: 200,
    before,
    after,
  });
}

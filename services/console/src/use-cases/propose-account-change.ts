import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { expireChanges, insertChange, lockAccountChanges, type AccountChange } from '../db/account-changes.ts';
import { findOperator, hasPassword } from '../db/operators.ts';
import { whyPointless, type ExistingChange, type SignInWith } from '../domain/account-change.ts';
import type { Role } from '@pay/shared/operators/roles.ts';
import { appendAccountAudit, type By } from './account-audit.ts';

/** What an administrator proposes: a new operator, or a change to an existing one. */
export type ProposedChange =
  | { readonly kind: 'create'; readonly name: string; readonly role: Role; readonly signIn: SignInWith }
  | ExistingChange;

/**
 * Stores what one administrator proposes for an account. Nothing changes until another one confirms it.
 * @throws ApiError 404 for an unknown login; 403 for oneself; 400 for a login that is taken, or a change without
 * effect; 409 if there is already a proposal for this account
 */
export async function proposeAccountChange(db: Db, by: By, login: string, change: ProposedChange): Promise<AccountChange> {
  return inTransaction(db, async (tx) => {
    await lockAccountChanges(tx);
    await expireChanges(tx);
    await checkChange(tx, by, login, change);
    const proposed = await insertChange(tx, { id: randomUUID(), login, ...fieldsOf(change), proposedBy: by.login });
    if (proposed === undefined) throw new ApiError('STALE_REVISION', { text: 'there is already a proposal for this account' });
    const after = stateOfChange(proposed);
    await appendAccountAudit(tx, by, { action: 'operators.manage', login, before: null, after });
    return proposed;
  });
}

async function checkChange(tx: Tx, by: By, login: string, change: ProposedChange): Promise<void> {
  const seen = await findOperator(tx, login);
  if (change.kind === 'create') {
    if (seen !== undefined) throw invalidField('login', 'is already taken');
    return;
  }
  if (seen === undefined) throw new ApiError('NOT_FOUND');
  if (login === by.login) throw new ApiError('FORBIDDEN', { text: 'another administrator must change your account' });
  const subject = {
    role: seen.role,
    isDisabled: seen.disabledAt !== null,
    hasPassword: await hasPassword(tx, seen.id),
  };
  const pointless = whyPointless(subject, change);
  if (pointless !== undefined) throw invalidField(change.kind === 'role' ? 'role' : 'login', pointless);
}

function fieldsOf(change: ProposedChange): Pick<AccountChange, 'kind' | 'name' | 'role' | 'signIn'> {
  const { kind } = change;
  if (kind === 'create') return { kind, name: change.name, role: change.role, signIn: change.signIn };
  return { kind, name: null, role: change.kind === 'role' ? change.role : null, signIn: null };
}

/** What the audit log keeps of a proposal. */
export function stateOfChange({ id, kind, name, role, signIn, status, proposedBy, decidedBy }: AccountChange) {
  return { changeId: id, kind, name, role, signIn, status, proposedBy, decidedBy };
}

import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { deleteSessions, insertOperator, insertPassword, lockOperator, updateOperator, type Operator } from '../db/operators.ts';
import { unlockSignIn } from '../db/sign-in-guards.ts';
import type { Role } from '@pay/shared/operators/roles.ts';
import { appendAccountAudit, type By } from './account-audit.ts';

/** Hashes a password as the sign-in library does. */
export type HashPassword = (password: string) => Promise<string>;
export type NewOperator = { readonly login: string; readonly name: string; readonly role: Role };

/** Creates the operator with this password; undefined if the login is taken. */
export async function insertWithPassword(tx: Tx, { login, name, role }: NewOperator, passwordHash: string): Promise<Operator | undefined> {
  const made = await insertOperator(tx, { id: randomUUID(), email: login, emailVerified: true, name, role });
  if (made !== undefined) await insertPassword(tx, randomUUID(), made.id, passwordHash);
  return made;
}

/**
 * Ends an operator's sessions and prevents new ones. One administrator is enough: it only removes rights, and may be
 * urgent. Granting them again takes two (`propose-account-change.ts`).
 * @throws ApiError 404; 403 for oneself, so that nobody locks out the last administrator
 */
export async function disableOperator(db: Db, by: By, login: string): Promise<Operator> {
  return inTransaction(db, async (tx) => {
    const seen = await lockOperator(tx, login);
    if (seen === undefined) throw new ApiError('NOT_FOUND');
    if (seen.email === by.login) throw new ApiError('FORBIDDEN', { text: 'another administrator must change your account' });
    const disabled = await updateOperator(tx, seen.id, { disabledAt: await clock(tx) });
    await deleteSessions(tx, seen.id);
    const states = { before: stateOf(seen), after: stateOf(disabled) };
    await appendAccountAudit(tx, by, { action: 'operators.manage', login, ...states });
    return disabled;
  });
}

/**
 * Unlocks an operator's passwords and codes after too many wrong ones. One administrator is enough: waiting would have
 * the same effect.
 * @throws ApiError 404
 */
export async function unlockOperator(db: Db, by: By, login: string): Promise<Operator> {
  return inTransaction(db, async (tx) => {
    const seen = await lockOperator(tx, login);
    if (seen === undefined) throw new ApiError('NOT_FOUND');
    await unlockSignIn(tx, seen.id);
    const states = { before: stateOf(seen), after: { ...stateOf(seen), unlocked: true } };
    await appendAccountAudit(tx, by, { action: 'operators.manage', login, ...states });
    return seen;
  });
}

/** What the audit log keeps of an account. */
export function stateOf({ role, disabledAt, twoFactorEnabled }: Operator) {
  return { role, disabledAt: disabledAt?.toISOString() ?? null, twoFactorEnabled };
}

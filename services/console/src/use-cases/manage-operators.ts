import { randomBytes, randomUUID } from 'node:crypto';
import { inTransaction, type Db, type Tx } from '@pay/shared/database/database.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { clock } from '@pay/shared/time/clock.ts';
import { appendAudit } from '../db/audit.ts';
import {
  deleteSecondFactor,
  deleteSessions,
  insertOperator,
  insertPassword,
  lockOperator,
  updateOperator,
  type Operator,
} from '../db/operators.ts';
import type { Role } from '../domain/roles.ts';

/** Hashes a password as the sign-in library does. */
export type HashPassword = (password: string) => Promise<string>;
export type By = { readonly login: string; readonly role: Role };
export type NewOperator = { readonly login: string; readonly name: string; readonly role: Role };

/** What an administrator may change of somebody else. Every change ends his sessions. */
export type OperatorChange =
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'disable' }
  | { readonly kind: 'enable' }
  | { readonly kind: 'reset-second-factor' };

/**
 * A new operator with a first password that is told once, or without one where he comes by the company's own sign-in.
 * @throws ApiError 400 where the login is taken
 */
export async function createOperator(
  db: Db,
  by: By,
  operator: NewOperator,
  hash: HashPassword | undefined,
): Promise<{ readonly operator: Operator; readonly password: string | null }> {
  const password = hash === undefined ? null : randomBytes(18).toString('base64url');
  const passwordHash = hash === undefined || password === null ? null : await hash(password);
  return inTransaction(db, async (tx) => {
    const made = await insertWithPassword(tx, operator, passwordHash);
    if (made === undefined) throw invalidField('login', 'belongs to somebody already');
    await appendChange(tx, by, null, made);
    return { operator: made, password };
  });
}

/** The operator with this password; undefined where the login is taken. */
export async function insertWithPassword(
  tx: Tx,
  { login, name, role }: NewOperator,
  passwordHash: string | null,
): Promise<Operator | undefined> {
  const made = await insertOperator(tx, { id: randomUUID(), email: login, emailVerified: true, name, role });
  if (made !== undefined && passwordHash !== null) await insertPassword(tx, randomUUID(), made.id, passwordHash);
  return made;
}

/** @throws ApiError 404; 403 for oneself: nobody gives himself a role, and nobody locks the last door behind him */
export async function changeOperator(db: Db, by: By, login: string, change: OperatorChange): Promise<Operator> {
  return inTransaction(db, async (tx) => {
    const seen = await lockOperator(tx, login);
    if (seen === undefined) throw new ApiError('NOT_FOUND');
    if (seen.email === by.login)
      throw new ApiError('FORBIDDEN', { text: 'another administrator changes your account' });
    const changed = await apply(tx, seen, change);
    await deleteSessions(tx, seen.id);
    await appendChange(tx, by, seen, changed);
    return changed;
  });
}

async function apply(tx: Tx, seen: Operator, change: OperatorChange): Promise<Operator> {
  switch (change.kind) {
    case 'role':
      return updateOperator(tx, seen.id, { role: change.role });
    case 'disable':
      return updateOperator(tx, seen.id, { disabledAt: await clock(tx) });
    case 'enable':
      return updateOperator(tx, seen.id, { disabledAt: null });
    case 'reset-second-factor':
      await deleteSecondFactor(tx, seen.id);
      return updateOperator(tx, seen.id, { twoFactorEnabled: false });
  }
}

async function appendChange(tx: Tx, by: By, before: Operator | null, after: Operator): Promise<void> {
  await appendAudit(tx, {
    requestId: currentRequestId() ?? '',
    operator: by.login,
    role: by.role,
    action: 'operators.manage',
    subjectId: after.email,
    kind: 'ANSWERED',
    status: 200,
    before: before === null ? null : stateOf(before),
    after: stateOf(after),
  });
}

function stateOf({ role, disabledAt, twoFactorEnabled }: Operator) {
  return { role, disabledAt: disabledAt?.toISOString() ?? null, twoFactorEnabled };
}

import { and, asc, eq, getTableColumns, gt, isNotNull, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { FIRST_PASSWORD_HOURS } from '../domain/account-change.ts';
import type { Role } from '@pay/shared/operators/roles.ts';
import { accounts, operators, passkeys, secondFactors, sessions, signInFailures } from './schema.ts';

/** An operator as stored. */
export type Operator = Readonly<typeof operators.$inferSelect>;

/** An operator as shown in the list. */
export type ListedOperator = Operator & {
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly lockedUntil: Date | null;
};

/** All operators by login; whether each has a password, and until when their sign-in is locked. */
export async function listOperators(reader: Reader): Promise<ListedOperator[]> {
  const hasPassword = sql<boolean>`exists (select from accounts
    where accounts.operator_id = operators.id and accounts.password is not null)`;
  const hasPasskey = sql<boolean>`exists (select from passkeys where passkeys.operator_id = operators.id)`;
  return reader
    .select({ ...getTableColumns(operators), hasPassword, hasPasskey, lockedUntil: signInFailures.lockedUntil })
    .from(operators)
    .leftJoin(signInFailures, and(eq(signInFailures.operatorId, operators.id), sql`${signInFailures.lockedUntil} > now()`))
    .orderBy(asc(operators.email));
}

export async function findOperator(reader: Reader, login: string): Promise<Operator | undefined> {
  const [row] = await reader.select().from(operators).where(eq(operators.email, login));
  return row;
}

export async function findOperatorById(reader: Reader, operatorId: string): Promise<Operator | undefined> {
  const [row] = await reader.select().from(operators).where(eq(operators.id, operatorId));
  return row;
}

/** Locks the operator until the transaction ends. */
export async function lockOperator(tx: Tx, login: string): Promise<Operator | undefined> {
  const [row] = await tx.select().from(operators).where(eq(operators.email, login)).for('update');
  return row;
}

/** Whether they can sign in with a password: then the second factor is their own, else the company's. */
export async function hasPassword(reader: Reader, operatorId: string): Promise<boolean> {
  const rows = await reader
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.operatorId, operatorId), isNotNull(accounts.password)))
    .limit(1);
  return rows.length > 0;
}

/** In real time, as the sign-in library counts: moving the clock of a TEST system signs nobody out. */
export async function isSessionOlder(reader: Reader, sessionId: string, hours: number): Promise<boolean> {
  const rows = await reader
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.createdAt, sql`now() - make_interval(hours => ${hours})`)));
  return rows.length === 0;
}

/** Undefined if the login is taken. */
export async function insertOperator(tx: Tx, operator: typeof operators.$inferInsert): Promise<Operator | undefined> {
  const [row] = await tx.insert(operators).values(operator).onConflictDoNothing().returning();
  return row;
}

export async function insertPassword(tx: Tx, id: string, operatorId: string, passwordHash: string): Promise<void> {
  await tx.insert(accounts).values({ id, accountId: operatorId, providerId: 'credential', operatorId, password: passwordHash });
}

export async function replacePassword(tx: Tx, operatorId: string, passwordHash: string): Promise<void> {
  await tx
    .update(accounts)
    .set({ password: passwordHash, updatedAt: sql`clock_now()` })
    .where(and(eq(accounts.operatorId, operatorId), isNotNull(accounts.password)));
}

/** Marks the password as a first one, known to somebody else: it can only be replaced, and only for this long. */
export async function startFirstPassword(tx: Tx, operatorId: string): Promise<Operator> {
  const rows = await tx
    .update(operators)
    .set({ firstPasswordUntil: sql`clock_now() + make_interval(hours => ${FIRST_PASSWORD_HOURS})` })
    .where(eq(operators.id, operatorId))
    .returning();
  return onlyRow(rows);
}

/** They have chosen their own. */
export async function endFirstPassword(tx: Tx, operatorId: string): Promise<void> {
  await tx.update(operators).set({ firstPasswordUntil: null }).where(eq(operators.id, operatorId));
}

/** Whether they have a first password that has expired. */
export async function isFirstPasswordOver(reader: Reader, operatorId: string): Promise<boolean> {
  const rows = await reader
    .select({ id: operators.id })
    .from(operators)
    .where(and(eq(operators.id, operatorId), sql`first_password_until <= clock_now()`));
  return rows.length > 0;
}

type Change = { readonly role?: Role; readonly disabledAt?: Date | null; readonly twoFactorEnabled?: boolean };

export async function updateOperator(tx: Tx, operatorId: string, change: Change): Promise<Operator> {
  const rows = await tx
    .update(operators)
    .set({ ...change, updatedAt: sql`clock_now()` })
    .where(eq(operators.id, operatorId))
    .returning();
  return onlyRow(rows);
}

/** Deletes their app's codes, backup codes and passkeys. */
export async function deleteSecondFactor(tx: Tx, operatorId: string): Promise<void> {
  await tx.delete(passkeys).where(eq(passkeys.operatorId, operatorId));
  await tx.delete(secondFactors).where(eq(secondFactors.operatorId, operatorId));
}

/** Ends all sessions: whoever uses one has to sign in again. */
export async function deleteSessions(tx: Tx, operatorId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.operatorId, operatorId));
}

import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '@pay/shared/postgres/advisory-locks.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { INDEPENDENT_AFTER_HOURS, PROPOSAL_HOURS, type ChangeStatus } from '../domain/account-change.ts';
import { accountChanges, operators } from './schema.ts';

/** A proposed change of an account, as it is stored. */
export type AccountChange = Readonly<typeof accountChanges.$inferSelect>;
export type NewChange = Pick<AccountChange, 'id' | 'kind' | 'login' | 'name' | 'role' | 'signIn' | 'proposedBy'>;

/**
 * Serialises decisions on accounts until the transaction ends: whether two people are independent depends on all rows
 * at once, which no lock on a single one would protect.
 */
export async function lockAccountChanges(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.changeAccounts})`);
}

/** The proposal; undefined if one for this account is already open. */
export async function insertChange(tx: Tx, change: NewChange): Promise<AccountChange | undefined> {
  const [row] = await tx
    .insert(accountChanges)
    .values({ ...change, status: 'PROPOSED', expiresAt: sql`clock_now() + make_interval(hours => ${PROPOSAL_HOURS})` })
    .onConflictDoNothing()
    .returning();
  return row;
}

export async function findChange(reader: Reader, id: string): Promise<AccountChange | undefined> {
  const [row] = await reader.select().from(accountChanges).where(eq(accountChanges.id, id));
  return row;
}

/** All open proposals, expired or not, and decided ones, newest first. */
export async function listChanges(reader: Reader, limit: number): Promise<AccountChange[]> {
  return reader.select().from(accountChanges).orderBy(desc(accountChanges.proposedAt), desc(accountChanges.id)).limit(limit);
}

/** @throws Error if it is already decided: the caller holds the lock and has checked */
export async function decideStoredChange(
  tx: Tx,
  id: string,
  to: Extract<ChangeStatus, 'CONFIRMED' | 'REJECTED'>,
  by: string,
): Promise<AccountChange> {
  const rows = await tx
    .update(accountChanges)
    .set({ status: to, decidedBy: by, decidedAt: sql`clock_now()` })
    .where(and(eq(accountChanges.id, id), eq(accountChanges.status, 'PROPOSED')))
    .returning();
  return onlyRow(rows);
}

/** Expires proposals whose time has passed, so that new ones can be made. */
export async function expireChanges(tx: Tx): Promise<void> {
  await tx
    .update(accountChanges)
    .set({ status: 'EXPIRED' })
    .where(and(eq(accountChanges.status, 'PROPOSED'), sql`expires_at <= clock_now()`));
}

/**
 * Whose decisions are not independent of this operator's: administrators who created, re-enabled, changed or reset
 * their account in the last 24 hours (proposers and confirmers, and those who did so to them), and everybody whom this
 * operator or one of those created, re-enabled, changed or reset in that time. Sorted logins; none for an unknown
 * operator.
 */
export async function notIndependentOf(reader: Reader, operatorId: string): Promise<readonly string[]> {
  const rows = await selectRows<{ login: string }>(
    reader,
    sql`
    with recursive
      self as (select email as login from ${operators} where id = ${operatorId}),
      made as (
        select proposed_by as maker, login from ${recent()}
        union
        select decided_by as maker, login from ${recent()}
      ),
      makers as (
        select login from self
        union
        select made.maker from made join makers on made.login = makers.login
      ),
      touched as (
        select login from makers
        union
        select made.login from made join touched on made.maker = touched.login
      )
    select login from touched where login not in (select login from self) order by login`,
  );
  return rows.map(({ login }) => login);
}

const recent = () =>
  sql`(select proposed_by, decided_by, login from ${accountChanges}
    where status = 'CONFIRMED' and decided_at > clock_now() - make_interval(hours => ${INDEPENDENT_AFTER_HOURS})) as recent`;

/** The active administrators among these logins. */
export async function administratorsAmong(reader: Reader, logins: readonly string[]): Promise<readonly string[]> {
  const rows = await reader
    .select({ login: operators.email })
    .from(operators)
    .where(and(inArray(operators.email, [...logins]), eq(operators.role, 'admin'), sql`disabled_at is null`));
  return rows.map(({ login }) => login);
}

/** The number of administrators who can sign in. */
export async function countAdministrators(reader: Reader): Promise<number> {
  const rows = await reader
    .select({ login: operators.email })
    .from(operators)
    .where(and(eq(operators.role, 'admin'), sql`disabled_at is null`));
  return rows.length;
}

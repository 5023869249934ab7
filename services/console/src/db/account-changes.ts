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
 * Lets decisions on accounts happen one after another until the transaction ends: whether two people are independent is
 * asked of all rows at once, which no lock on one of them would hold still.
 */
export async function lockAccountChanges(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.changeAccounts})`);
}

/** The proposal; undefined where one for this account waits already. */
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

/** Those that wait, in their time or not, and those that were decided, the newest first. */
export async function listChanges(reader: Reader, limit: number): Promise<AccountChange[]> {
  return reader
    .select()
    .from(accountChanges)
    .orderBy(desc(accountChanges.proposedAt), desc(accountChanges.id))
    .limit(limit);
}

/** @throws Error where it was decided before: the caller holds the lock and has looked */
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

/** Ends the proposals whose time is over, so that new ones can be made. */
export async function expireChanges(tx: Tx): Promise<void> {
  await tx
    .update(accountChanges)
    .set({ status: 'EXPIRED' })
    .where(and(eq(accountChanges.status, 'PROPOSED'), sql`expires_at <= clock_now()`));
}

/**
 * Whose decisions this operator's are not independent of: administrators who made, re-enabled, changed or reset his
 * account in the last 24 hours (who proposed it and who confirmed it, and who did so with theirs), and everybody whom he
 * or one of those made, re-enabled, changed or reset in that time. Logins, sorted; none for an unknown operator.
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

/** Of these logins, the active administrators. */
export async function administratorsAmong(reader: Reader, logins: readonly string[]): Promise<readonly string[]> {
  const rows = await reader
    .select({ login: operators.email })
    .from(operators)
    .where(and(inArray(operators.email, [...logins]), eq(operators.role, 'admin'), sql`disabled_at is null`));
  return rows.map(({ login }) => login);
}

/** How many administrators can sign in. */
export async function countAdministrators(reader: Reader): Promise<number> {
  const rows = await reader
    .select({ login: operators.email })
    .from(operators)
    .where(and(eq(operators.role, 'admin'), sql`disabled_at is null`));
  return rows.length;
}

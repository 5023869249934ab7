import { and, desc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { FundingStatus } from '../domain/funding.ts';
import { fundings } from './schema.ts';

/** A settlement that credits a store. */
export type Funding = Readonly<typeof fundings.$inferSelect>;

/** The new row; undefined if a proposal with its reference is open or confirmed. */
export async function insertFunding(tx: Tx, funding: typeof fundings.$inferInsert): Promise<Funding | undefined> {
  const [row] = await tx.insert(fundings).values(funding).onConflictDoNothing().returning();
  return row;
}

/** Locks the proposal until the transaction ends; undefined if there is none. */
export async function lockFunding(tx: Tx, fundingId: string): Promise<Funding | undefined> {
  const [row] = await tx.select().from(fundings).where(eq(fundings.fundingId, fundingId)).for('update');
  return row;
}

/** Decides a locked proposal. The update repeats the guard. @throws Error if it is already decided. */
export async function moveFunding(tx: Tx, fundingId: string, to: FundingStatus, decidedBy: string): Promise<Funding> {
  const rows = await tx
    .update(fundings)
    .set({ status: to, decidedBy, decidedAt: sql`clock_now()` })
    .where(and(eq(fundings.fundingId, fundingId), eq(fundings.status, 'PROPOSED')))
    .returning();
  return onlyRow(rows);
}

export type FundingFilter = {
  readonly storeId?: string | undefined;
  readonly status?: FundingStatus | undefined;
};

/** Newest first. */
export async function listFundings(reader: Reader, filter: FundingFilter, limit: number): Promise<Funding[]> {
  const { storeId, status } = filter;
  return reader
    .select()
    .from(fundings)
    .where(
      and(
        storeId === undefined ? undefined : eq(fundings.storeId, storeId),
        status === undefined ? undefined : eq(fundings.status, status),
      ),
    )
    .orderBy(desc(fundings.createdAt), desc(fundings.fundingId))
    .limit(limit);
}

import { and, count, desc, eq, gte, lt, min, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { WithdrawalStatus } from '../domain/withdrawal-status.ts';
import { withdrawals } from './schema.ts';

/** A withdrawal request as it is stored. */
export type Withdrawal = Readonly<typeof withdrawals.$inferSelect>;
/** What a move may change beside status and revision. */
export type WithdrawalChange = Partial<
  Pick<
    Withdrawal,
    | 'takenBy'
    | 'takenUntil'
    | 'reviewedBy'
    | 'reviewerNotIndependentOf'
    | 'reviewedAt'
    | 'failedBy'
    | 'cancelledBy'
    | 'completedBy'
    | 'completedAt'
    | 'transferReference'
    | 'statusReason'
  >
>;

/** Stores a new request, with the version of its first event. */
export async function insertWithdrawal(tx: Tx, withdrawal: typeof withdrawals.$inferInsert): Promise<Withdrawal> {
  return onlyRow(
    await tx
      .insert(withdrawals)
      .values({ ...withdrawal, aggregateVersion: 1 })
      .returning(),
  );
}

/** A partner's request. Another partner's is not there. */
export async function findPartnerWithdrawal(
  reader: Reader,
  partnerId: PartnerId,
  withdrawalRequestId: string,
): Promise<Withdrawal | undefined> {
  const [row] = await reader
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.withdrawalRequestId, withdrawalRequestId), eq(withdrawals.partnerId, partnerId)));
  return row;
}

export async function findWithdrawal(reader: Reader, withdrawalRequestId: string): Promise<Withdrawal | undefined> {
  const [row] = await reader.select().from(withdrawals).where(eq(withdrawals.withdrawalRequestId, withdrawalRequestId));
  return row;
}

/** The request, held until the transaction ends. Undefined when there is none. */
export async function lockWithdrawal(tx: Tx, withdrawalRequestId: string): Promise<Withdrawal | undefined> {
  const [row] = await tx
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.withdrawalRequestId, withdrawalRequestId))
    .for('update');
  return row;
}

/** A partner's request, held until the transaction ends. Another partner's is not there. */
export async function lockPartnerWithdrawal(
  tx: Tx,
  partnerId: PartnerId,
  withdrawalRequestId: string,
): Promise<Withdrawal | undefined> {
  const [row] = await tx
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.withdrawalRequestId, withdrawalRequestId), eq(withdrawals.partnerId, partnerId)))
    .for('update');
  return row;
}

/**
 * Moves a locked request and gives it the next revision, and the version of its event where the state changes. The update repeats the guard: status and revision are those
 * that were decided on. @throws Error when they are not.
 */
export async function moveWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  to: WithdrawalStatus,
  change: WithdrawalChange,
): Promise<Withdrawal> {
  const rows = await tx
    .update(withdrawals)
    .set({
      ...change,
      status: to,
      revision: withdrawal.revision + 1,
      aggregateVersion: withdrawal.aggregateVersion + (to === withdrawal.status ? 0 : 1),
      updatedAt: sql`clock_now()`,
    })
    .where(
      and(
        eq(withdrawals.withdrawalRequestId, withdrawal.withdrawalRequestId),
        eq(withdrawals.status, withdrawal.status),
        eq(withdrawals.revision, withdrawal.revision),
      ),
    )
    .returning();
  return onlyRow(rows);
}

/** What chooses requests; an absent filter takes all. */
export type WithdrawalFilter = {
  readonly partnerId?: PartnerId | undefined;
  readonly storeId?: string | undefined;
  readonly status?: WithdrawalStatus | undefined;
  /** Asked for at this moment or later. */
  readonly from?: Date | undefined;
  /** Asked for before this moment. */
  readonly to?: Date | undefined;
};

function matches({ partnerId, storeId, status, from, to }: WithdrawalFilter): SQL | undefined {
  return and(
    partnerId === undefined ? undefined : eq(withdrawals.partnerId, partnerId),
    storeId === undefined ? undefined : eq(withdrawals.storeId, storeId),
    status === undefined ? undefined : eq(withdrawals.status, status),
    from === undefined ? undefined : gte(withdrawals.createdAt, from),
    to === undefined ? undefined : lt(withdrawals.createdAt, to),
  );
}

/** How many requests there are of a state, what they come to, and since when the oldest waits. */
export type WithdrawalCount = {
  readonly status: WithdrawalStatus;
  readonly count: number;
  readonly amountMicroUsdt: bigint;
  readonly oldestAt: Date;
};

/** By state; a state without requests has no row. */
export async function countWithdrawals(reader: Reader, filter: WithdrawalFilter): Promise<WithdrawalCount[]> {
  const rows = await reader
    .select({
      status: withdrawals.status,
      count: count(),
      amountMicroUsdt: sql<string>`sum(${withdrawals.amountMicroUsdt})`,
      oldestAt: min(withdrawals.createdAt),
    })
    .from(withdrawals)
    .where(matches(filter))
    .groupBy(withdrawals.status);
  return rows.flatMap(({ amountMicroUsdt, oldestAt, ...row }) =>
    oldestAt === null ? [] : [{ ...row, amountMicroUsdt: BigInt(amountMicroUsdt), oldestAt }],
  );
}

/** The newest first, from behind `after` on. */
export async function listWithdrawals(
  reader: Reader,
  filter: WithdrawalFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<Withdrawal[]> {
  return reader
    .select()
    .from(withdrawals)
    .where(and(matches(filter), after === undefined ? undefined : isOlder(after)))
    .orderBy(desc(withdrawals.createdAt), desc(withdrawals.withdrawalRequestId))
    .limit(limit);
}

function isOlder({ createdAt, id }: ListPosition): SQL {
  return sql`(${withdrawals.createdAt}, ${withdrawals.withdrawalRequestId}) < (${createdAt.toISOString()}::timestamptz, ${id}::uuid)`;
}

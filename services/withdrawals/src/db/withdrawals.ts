import { and, between, count, eq, getTableColumns, gte, lt, min, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { following, sortedBy } from '@pay/shared/http/list-order.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { comparePlaces, type ListOrder, type ListPosition } from '@pay/shared/http/list-page.ts';
import { LOOKED_AT_MAX, lookThrough } from '@pay/shared/postgres/look-through.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { uuidsBeginning } from '@pay/shared/identities/uuid-range.ts';
import type { WithdrawalStatus } from '../domain/withdrawal-status.ts';
import { withdrawals } from './schema.ts';

/** A withdrawal request as it is stored. */
export type Withdrawal = Readonly<typeof withdrawals.$inferSelect>;
/** What a move may change besides status and revision. */
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

/** Finds a request owned by this partner; undefined if it belongs to another. */
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

/** Locks the request until the transaction ends; undefined if there is none. */
export async function lockWithdrawal(tx: Tx, withdrawalRequestId: string): Promise<Withdrawal | undefined> {
  const [row] = await tx.select().from(withdrawals).where(eq(withdrawals.withdrawalRequestId, withdrawalRequestId)).for('update');
  return row;
}

/** Locks this partner's request until the transaction ends; undefined if it belongs to another. */
export async function lockPartnerWithdrawal(tx: Tx, partnerId: PartnerId, withdrawalRequestId: string): Promise<Withdrawal | undefined> {
  const [row] = await tx
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.withdrawalRequestId, withdrawalRequestId), eq(withdrawals.partnerId, partnerId)))
    .for('update');
  return row;
}

/**
 * Moves a locked request to its next revision, with a new event version if the status changes. The update repeats the
 * guard: status and revision are those the decision was based on.
 * @throws Error if they are not.
 */
export async function moveWithdrawal(tx: Tx, withdrawal: Withdrawal, to: WithdrawalStatus, change: WithdrawalChange): Promise<Withdrawal> {
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

/** Selects requests; an absent filter matches all. */
export type WithdrawalFilter = {
  /** The beginning of the request's id. */
  readonly id?: string | undefined;
  readonly partnerId?: PartnerId | undefined;
  readonly storeId?: string | undefined;
  readonly status?: WithdrawalStatus | undefined;
  /** The earliest `createdAt`, inclusive. */
  readonly from?: Date | undefined;
  /** The latest `createdAt`, exclusive. */
  readonly to?: Date | undefined;
};

function matches({ id, partnerId, storeId, status, from, to }: WithdrawalFilter): SQL | undefined {
  const range = id === undefined ? undefined : uuidsBeginning(id);
  return and(
    range === undefined ? undefined : between(withdrawals.withdrawalRequestId, range.first, range.last),
    partnerId === undefined ? undefined : eq(withdrawals.partnerId, partnerId),
    storeId === undefined ? undefined : eq(withdrawals.storeId, storeId),
    status === undefined ? undefined : eq(withdrawals.status, status),
    from === undefined ? undefined : gte(withdrawals.createdAt, from),
    to === undefined ? undefined : lt(withdrawals.createdAt, to),
  );
}

/** The number of requests with a status, their total amount, and the time of the oldest. */
export type WithdrawalCount = {
  readonly status: WithdrawalStatus;
  readonly count: number;
  readonly amountMicroUsdt: bigint;
  readonly oldestAt: Date;
};

/** By status; a status without requests has no row. */
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

/** Which rows of a list follow: those that match, in this order, starting after `after`. */
export type WithdrawalList = {
  readonly filter: WithdrawalFilter;
  readonly order: ListOrder;
  readonly after: ListPosition | undefined;
};

const SORTED = { createdAt: withdrawals.createdAt, id: withdrawals.withdrawalRequestId };
const placeOf = ({ createdAt, withdrawalRequestId: id }: Withdrawal): ListPosition => ({ createdAt, id });

/** A page, and where the next one begins; undefined on the last. */
export type WithdrawalPage = { readonly items: readonly Withdrawal[]; readonly next: ListPosition | undefined };

/** A page of a list. Of one partner's requests a bounded number is looked at for those that match. */
export async function listWithdrawals(reader: Reader, { filter, order, after }: WithdrawalList, limit: number): Promise<WithdrawalPage> {
  const { storeId, status, ...rest } = filter;
  const among = filter.partnerId === undefined ? undefined : matches({ storeId, status });
  const along = matches(among === undefined ? filter : rest);
  const rows = (count: number) =>
    reader
      .select()
      .from(withdrawals)
      .where(and(along, following(SORTED, order, after)))
      .orderBy(...sortedBy(SORTED, order))
      .limit(count);
  return lookThrough<Withdrawal, ListPosition>(
    {
      page: (count) => {
        if (among === undefined) return rows(count);
        const looked = rows(LOOKED_AT_MAX).as('withdrawals');
        return reader
          .select(getTableColumns(withdrawals))
          .from(looked)
          .where(among)
          .orderBy(...sortedBy(SORTED, order))
          .limit(count);
      },
      placeOf,
      lastLookedAt: async () => {
        if (among === undefined) return undefined;
        const [last] = await rows(1).offset(LOOKED_AT_MAX - 1);
        return last === undefined ? undefined : placeOf(last);
      },
      isLater: (place, than) => comparePlaces(place, than) < 0 === (order === 'newest'),
    },
    limit,
  );
}

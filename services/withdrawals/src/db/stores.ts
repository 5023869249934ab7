import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { balances, stores } from './schema.ts';

/** A store as this service knows it. */
export type Store = { readonly storeId: string; readonly partnerId: PartnerId; readonly name: string };

/** Adds a store. An existing one is left as it is: stores never change owners. */
export async function insertStore(tx: Tx, store: Store): Promise<void> {
  await tx.insert(stores).values(store).onConflictDoNothing();
}

/** Finds any partner's store. Whether the caller may know of it is for the use case to decide. */
export async function findStore(reader: Reader, storeId: string): Promise<Store | undefined> {
  const [row] = await reader.select().from(stores).where(eq(stores.storeId, storeId));
  return row;
}

/** A store and its balance; zeros if it was never funded. */
export type StoreBalance = Store & {
  readonly availableMicroUsdt: bigint;
  readonly reservedMicroUsdt: bigint;
  readonly paidMicroUsdt: bigint;
  readonly creditedMicroUsdt: bigint;
};

/** The stores of every partner, or of one, ordered by id and starting after `after`. */
export async function listStoreBalances(
  reader: Reader,
  filter: { readonly partnerId?: PartnerId | undefined; readonly after?: string | undefined },
  limit: number,
): Promise<StoreBalance[]> {
  const { partnerId, after } = filter;
  const rows = await reader
    .select({ store: stores, balance: balances })
    .from(stores)
    .leftJoin(balances, eq(balances.storeId, stores.storeId))
    .where(
      and(
        partnerId === undefined ? undefined : eq(stores.partnerId, partnerId),
        after === undefined ? undefined : gt(stores.storeId, after),
      ),
    )
    .orderBy(asc(stores.storeId))
    .limit(limit);
  return rows.map(({ store, balance }) => ({
    ...store,
    availableMicroUsdt: balance?.availableMicroUsdt ?? 0n,
    reservedMicroUsdt: balance?.reservedMicroUsdt ?? 0n,
    paidMicroUsdt: balance?.paidMicroUsdt ?? 0n,
    creditedMicroUsdt: balance?.creditedMicroUsdt ?? 0n,
  }));
}

/** A balance with its parts in thousandths of the list's greatest credit, as a chart draws them. */
export type StoreShares = Omit<StoreBalance, 'creditedMicroUsdt'> & {
  readonly availableShare: number;
  readonly reservedShare: number;
  readonly paidShare: number;
};

/**
 * The stores with the greatest credit. The shares are computed here, so that no amount becomes a floating-point number
 * elsewhere.
 */
export async function listGreatestBalances(reader: Reader, limit: number): Promise<StoreShares[]> {
  const rows = await selectRows<ShareRow>(
    reader,
    sql`
    select b.store_id, s.partner_id, s.name,
      b.available_micro_usdt, b.reserved_micro_usdt, b.paid_micro_usdt,
      round(1000 * b.available_micro_usdt::numeric / max(b.credited_micro_usdt) over ())::int as available_share,
      round(1000 * b.reserved_micro_usdt::numeric / max(b.credited_micro_usdt) over ())::int as reserved_share,
      round(1000 * b.paid_micro_usdt::numeric / max(b.credited_micro_usdt) over ())::int as paid_share
    from ${balances} b join ${stores} s on s.store_id = b.store_id
    where b.credited_micro_usdt > 0
    order by b.credited_micro_usdt desc, b.store_id limit ${limit}`,
  );
  return rows.map((row) => ({
    storeId: row.store_id,
    partnerId: row.partner_id,
    name: row.name,
    availableMicroUsdt: BigInt(row.available_micro_usdt),
    reservedMicroUsdt: BigInt(row.reserved_micro_usdt),
    paidMicroUsdt: BigInt(row.paid_micro_usdt),
    availableShare: row.available_share,
    reservedShare: row.reserved_share,
    paidShare: row.paid_share,
  }));
}

type ShareRow = {
  store_id: string;
  partner_id: string;
  name: string;
  available_micro_usdt: string;
  reserved_micro_usdt: string;
  paid_micro_usdt: string;
  available_share: number;
  reserved_share: number;
  paid_share: number;
};

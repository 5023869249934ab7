import { and, asc, eq, gt } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/database/database.ts';
import { balances, stores } from './schema.ts';

/** A store as this service knows it. */
export type Store = { readonly storeId: string; readonly partnerId: string; readonly name: string };

/** Adds a store. One that is known already stays as it is: stores do not change hands. */
export async function insertStore(tx: Tx, store: Store): Promise<void> {
  await tx.insert(stores).values(store).onConflictDoNothing();
}

/** Whoever's it is: whether the caller may know of it is the use case's question. */
export async function findStore(reader: Reader, storeId: string): Promise<Store | undefined> {
  const [row] = await reader.select().from(stores).where(eq(stores.storeId, storeId));
  return row;
}

/** A store and what it has; zeros where it was never funded. */
export type StoreBalance = Store & {
  readonly availableMicroUsdt: bigint;
  readonly reservedMicroUsdt: bigint;
  readonly paidMicroUsdt: bigint;
  readonly creditedMicroUsdt: bigint;
};

/** Every partner's, or one partner's, by id from behind `after` on. */
export async function listStoreBalances(
  reader: Reader,
  filter: { readonly partnerId?: string | undefined; readonly after?: string | undefined },
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

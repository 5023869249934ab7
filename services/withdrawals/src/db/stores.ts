import { eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/database/database.ts';
import { stores } from './schema.ts';

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

import type { Db, Reader } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { StoreCreated } from '@pay/contract/messages.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { findStore, insertStore, listPointsOfStores, listStores, type PaymentPoint, type Store } from '../../db/merchant/payment-points.ts';

export type StoreWithPoints = {
  readonly store: Store;
  readonly points: readonly PaymentPoint[];
};

/** GET /operator/stores */
export async function readStores(
  reader: Reader,
  filter: { readonly partnerId: PartnerId | undefined; readonly after: string | undefined },
  limit: number,
): Promise<StoreWithPoints[]> {
  const found = await listStores(reader, filter, limit);
  const ids = found.map(({ storeId }) => storeId);
  const points = await listPointsOfStores(reader, ids);
  return found.map((store) => ({
    store,
    points: points.filter(({ storeId }) => storeId === store.storeId),
  }));
}

/**
 * POST /operator/stores: creates a store of a partner. Withdrawals learns of it from `store.created`. Its partner never changes.
 * @throws ApiError VALIDATION_FAILED if the id is taken
 */
export async function createStore(db: Db, wanted: Pick<Store, 'storeId' | 'partnerId' | 'name'>, operator: OperatorLogin): Promise<Store> {
  const { storeId, partnerId, name } = wanted;
  return inTransaction(db, async (tx) => {
    if (!(await insertStore(tx, wanted))) throw invalidField('storeId', 'is already the id of a store');
    const payload: StoreCreated = { storeId, partnerId, name };
    await appendToOutbox(tx, { type: 'store.created', aggregateId: storeId, occurredAt: await clock(tx), payload });
    await insertAction(tx, {
      operator,
      action: 'store.create',
      subjectId: storeId,
      before: null,
      after: { partnerId, name },
    });
    const store = await findStore(tx, storeId);
    if (store === undefined) throw new Error('the inserted store was not found');
    return store;
  });
}

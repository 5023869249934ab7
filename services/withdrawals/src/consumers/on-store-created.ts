import { StoreCreated } from '@pay/contract/messages.ts';
import type { Handle } from '@pay/shared/broker/consume.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { receiveOnce } from '@pay/shared/inbox/inbox.ts';
import { insertStore } from '../db/stores.ts';

/** Keeps a copy of which partner owns which store, so that requests for somebody else's store are refused. */
export function onStoreCreated(deps: { readonly db: Db }): Handle {
  return async ({ messageId, body }) => {
    const store = StoreCreated.parse(body);
    await receiveOnce(deps.db, messageId, (tx) => insertStore(tx, store));
  };
}

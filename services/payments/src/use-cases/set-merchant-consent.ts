import { inTransaction } from '@pay/shared/database/database.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { updateMerchantConsent, type Store } from '../db/payment-points.ts';
import type { Deps } from '../deps.ts';

/**
 * Allows a shop to show the consent in its own interface, or forbids it; for new payments. Safe to repeat. Decisions
 * "merchant capture". @throws ApiError NOT_FOUND without such a shop
 */
export async function setMerchantConsent(
  deps: Deps,
  storeId: string,
  { enabled, operator }: { readonly enabled: boolean; readonly operator: string },
): Promise<Store> {
  const store = await inTransaction(deps.db, (tx) => updateMerchantConsent(tx, storeId, enabled));
  if (store === undefined) throw new ApiError('NOT_FOUND');
  deps.log.info('merchant capture of a shop was set', { storeId, partnerId: store.partnerId, enabled, operator });
  return store;
}

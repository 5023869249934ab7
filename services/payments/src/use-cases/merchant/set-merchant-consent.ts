import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { findStore, updateMerchantConsent, type Store } from '../../db/merchant/payment-points.ts';
import type { Deps } from '../../deps.ts';

/**
 * Allows a shop to show the consent in its own interface, or forbids it; for new payments. Safe to repeat. See
 * spec/decisions#merchant-capture. @throws ApiError NOT_FOUND without such a shop
 */
export async function setMerchantConsent(
  deps: Deps,
  storeId: string,
  { enabled, operator }: { readonly enabled: boolean; readonly operator: OperatorLogin },
): Promise<Store> {
  return inTransaction(deps.db, async (tx) => {
    const before = await findStore(tx, storeId);
    const store = await updateMerchantConsent(tx, storeId, enabled);
    if (before === undefined || store === undefined) throw new ApiError('NOT_FOUND');
    await insertAction(tx, {
      operator,
      action: 'store.merchant-consent',
      subjectId: storeId,
      before: { merchantConsent: before.merchantConsent },
      after: { merchantConsent: store.merchantConsent },
    });
    return store;
  });
}

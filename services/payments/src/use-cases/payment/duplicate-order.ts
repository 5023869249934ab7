import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { findByOrder } from '../../db/payment/payments.ts';

/**
 * 409 DUPLICATE_ORDER that names the partner's payment or charge with this number; undefined if there is none. See
 * decisions/idempotency.
 */
export async function duplicateOrder(reader: Reader, partnerId: PartnerId, merchantOrderId: string): Promise<ApiError | undefined> {
  const other = await findByOrder(reader, partnerId, merchantOrderId);
  if (other === undefined) return undefined;
  return new ApiError('DUPLICATE_ORDER', { members: { paymentId: other.paymentId } });
}

import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import { listActions, type OperatorAction } from '../../db/operator/audit-log.ts';
import { readPaymentRecords, searchPayments, type PaymentFilter, type PaymentRecords } from '../../db/operator/payment-search.ts';
import { findPayment, type Payment } from '../../db/payment/payments.ts';

export type { PaymentFilter } from '../../db/operator/payment-search.ts';

/** A page of any partner's payments, and where the next page begins. For operators. */
export async function findPayments(
  reader: Reader,
  filter: PaymentFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<{ readonly items: readonly Payment[]; readonly next: ListPosition | undefined }> {
  const found = await searchPayments(reader, filter, after, limit + 1);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? undefined : { createdAt: last.createdAt, id: last.paymentId } };
}

/** A payment with everything that belongs to it. @throws ApiError 404 */
export async function readPaymentTimeline(reader: Reader, paymentId: string): Promise<PaymentRecords & { readonly payment: Payment }> {
  const payment = await findPayment(reader, paymentId);
  if (payment === undefined) throw new ApiError('NOT_FOUND');
  return { payment, ...(await readPaymentRecords(reader, paymentId)) };
}

/** GET /operator/actions */
export async function readActions(reader: Reader, subjectId: string | undefined, limit: number): Promise<readonly OperatorAction[]> {
  return listActions(reader, subjectId, limit);
}

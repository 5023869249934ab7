import type { Receipt } from '@pay/contract/api/receipt.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import type { PointAcquiringRoute } from '../../db/merchant/point-acquiring-routes.ts';
import type { Deps } from '../../deps.ts';

/** Whether a payment with this receipt may go there. A route without a connector here takes nothing, and is not judged. */
export function takesReceipt(
  { acquirerOf }: Pick<Deps, 'acquirerOf'>,
  receipt: Receipt | null | undefined,
  route: Parameters<Deps['acquirerOf']>[0],
): boolean {
  return receipt === undefined || receipt === null || acquirerOf(route)?.takesReceipts !== false;
}

/** The routes that hand a receipt on, all of them where there is none. @throws ApiError VALIDATION_FAILED when none does */
export function routesThatTake(
  deps: Deps,
  receipt: Receipt | null | undefined,
  routes: readonly PointAcquiringRoute[],
): readonly PointAcquiringRoute[] {
  const taking = routes.filter((route) => takesReceipt(deps, receipt, route));
  if (taking.length === 0 && routes.length > 0) throw notTaken();
  return taking;
}

/** Refused before anything is stored: a receipt that nobody makes would be missed by the tax office only. */
export const notTaken = () => invalidField('receipt', 'is not taken by the acquirer of this payment point');

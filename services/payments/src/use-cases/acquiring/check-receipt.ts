import type { Receipt } from '@pay/contract/api/receipt.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import type { PointAcquiringRoute } from '../../db/merchant/point-acquiring-routes.ts';
import type { Deps } from '../../deps.ts';

/** Whether the route accepts a payment with this receipt. A route without a connector here takes no payments, so it is not checked. */
export function takesReceipt(
  { acquirerOf }: Pick<Deps, 'acquirerOf'>,
  receipt: Receipt | null | undefined,
  route: Parameters<Deps['acquirerOf']>[0],
): boolean {
  return receipt === undefined || receipt === null || acquirerOf(route)?.takesReceipts !== false;
}

/** The routes that pass a receipt on; all of them if there is no receipt. @throws ApiError VALIDATION_FAILED if none does */
export function routesThatTake(
  deps: Deps,
  receipt: Receipt | null | undefined,
  routes: readonly PointAcquiringRoute[],
): readonly PointAcquiringRoute[] {
  const taking = routes.filter((route) => takesReceipt(deps, receipt, route));
  if (taking.length === 0 && routes.length > 0) throw notTaken();
  return taking;
}

/** Refused before anything is stored: if a receipt were silently dropped, only the tax office would notice. */
export const notTaken = () => invalidField('receipt', 'is not taken by the acquirer of this payment point');

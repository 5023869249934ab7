import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { PointMethod } from '@pay/contract/states.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import type { PaymentPoint, Store } from '../../db/merchant/payment-points.ts';
import { listPointsWithRoutes, type PointAcquiringRoute } from '../../db/merchant/point-acquiring-routes.ts';
import type { ApiDeps } from '../../deps.ts';
import { choosePoint, type PointChoice } from '../../domain/merchant/payment-point.ts';
import { returnUrlProblem } from '../../domain/payment/return-url.ts';
import { checkAmount } from '../acquiring/check-amount.ts';
import { routesThatTake } from '../acquiring/check-receipt.ts';
import { firstUp } from '../acquiring/choose-acquiring-route.ts';

type Wanted = {
  readonly method: PointMethod;
  readonly paymentPointId: string | undefined;
  readonly amountKopecks: bigint;
  readonly returnUrl: string | null;
  readonly receipt: Receipt | null;
};

/** The point and routes of a new payment, whether or not one of them accepts it now. */
export type PointAndRoutes = {
  readonly point: PaymentPoint;
  /** The point's store. */
  readonly store: Store;
  readonly amountKopecks: bigint;
  /** Empty while the point is suspended. */
  readonly routes: readonly PointAcquiringRoute[];
  /** The database's time when the point was read. */
  readonly now: Date;
};

/**
 * Finds the payment point of a new payment. All errors in the request are found here, before a route is chosen: an invalid
 * request is invalid even while a route is down.
 * @throws ApiError as in the contract's table of card errors, if the point, amount, receipt or returnUrl is invalid
 */
export async function findPointAndRoutes(
  deps: ApiDeps,
  reader: Reader,
  partnerId: PartnerId,
  { method, paymentPointId, amountKopecks, returnUrl, receipt }: Wanted,
): Promise<PointAndRoutes> {
  const choice = choosePoint(await listPointsWithRoutes(reader, partnerId, method), paymentPointId, method);
  if (choice.kind === 'refused') throw pointRefusal(choice.why, method);
  const points = choice.kind === 'chosen' ? ([choice.point] as const) : choice.points;
  const routes = routesThatTake(
    deps,
    receipt,
    points.flatMap((point) => point.routes),
  );
  checkAmount(amountKopecks, routes);
  const [{ now, routes: _routes, store, savedReturnUrl, ...point }] = points;
  if (returnUrl !== null) checkReturnUrl(deps, savedReturnUrl, returnUrl);
  return { point, store, amountKopecks, routes: choice.kind === 'chosen' ? routes : [], now };
}

/** The route that accepts the payment now, and its acquirer; undefined if none does: 503 ROUTE_UNAVAILABLE. */
export function chooseRoute(
  deps: ApiDeps,
  { point, amountKopecks, routes, now }: PointAndRoutes,
): { readonly point: PaymentPoint; readonly acquirer: Acquirer; readonly now: Date } | undefined {
  const routed = firstUp(deps, routes, amountKopecks);
  if (routed === undefined) return undefined;
  return { point: { ...point, routeId: routed.route.routeId }, acquirer: routed.acquirer, now };
}

function pointRefusal(why: Extract<PointChoice<never>, { kind: 'refused' }>['why'], method: PointMethod): ApiError {
  switch (why) {
    case 'not-found':
      return new ApiError('NOT_FOUND');
    case 'several':
      return new ApiError('PAYMENT_POINT_REQUIRED');
    case 'method-not-taken':
      return invalidField('paymentPointID', `does not accept ${method === 'CARD' ? 'card' : 'QR'} payments`);
  }
}

function checkReturnUrl(deps: ApiDeps, saved: string | null, returnUrl: string): void {
  const problem = returnUrlProblem(returnUrl, saved ?? undefined, { allowPrivate: deps.allowPrivateAddresses });
  if (problem !== undefined) throw invalidField('returnUrl', problem);
}

import type { Tx } from '@pay/shared/database/database.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import type { Channel } from '../channels/channel.ts';
import { findEndpoints } from '../db/endpoints.ts';
import { listPoints, type PaymentPoint } from '../db/payment-points.ts';
import type { ApiDeps } from '../deps.ts';
import { choosePoint, type PointChoice, type PointMethod } from '../domain/payment-point.ts';
import { returnUrlProblem } from '../domain/return-url.ts';
import { chooseRoute } from './route-payment.ts';

type Wanted = {
  readonly method: PointMethod;
  readonly paymentPointId: string | undefined;
  readonly amountKopecks: bigint;
  readonly returnUrl: string | undefined;
};

/**
 * The payment point that takes a new payment, with the route that it takes now and the channel behind it.
 * @throws ApiError as the contract's card error table says, when the point, its route, the amount or the returnUrl won't do
 */
export async function placePayment(
  deps: ApiDeps,
  tx: Tx,
  partnerId: string,
  { method, paymentPointId, amountKopecks, returnUrl }: Wanted,
): Promise<{ readonly point: PaymentPoint; readonly channel: Channel }> {
  const choice = choosePoint(await listPoints(tx, partnerId), paymentPointId, method);
  if (choice.kind === 'refused') throw pointRefusal(choice.why, method);
  const { point } = choice;
  const { route, channel } = await chooseRoute(
    deps,
    tx,
    { paymentPointId: point.paymentPointId, method },
    amountKopecks,
  );
  if (returnUrl !== undefined) await checkReturnUrl(deps, tx, partnerId, returnUrl);
  return { point: { ...point, routeId: route.routeId }, channel };
}

function pointRefusal(why: Extract<PointChoice<never>, { kind: 'refused' }>['why'], method: PointMethod): ApiError {
  switch (why) {
    case 'not-found':
      return new ApiError('NOT_FOUND');
    case 'suspended':
      return new ApiError('ROUTE_UNAVAILABLE');
    case 'several':
      return new ApiError('PAYMENT_POINT_REQUIRED');
    case 'method-not-taken':
      return invalidField('paymentPointID', method === 'CARD' ? 'takes no card payments' : 'takes no QR payments');
  }
}

async function checkReturnUrl(deps: ApiDeps, tx: Tx, partnerId: string, returnUrl: string): Promise<void> {
  const endpoints = await findEndpoints(tx, partnerId);
  const problem = returnUrlProblem(returnUrl, endpoints?.returnUrl, { allowPrivate: deps.allowPrivateAddresses });
  if (problem !== undefined) throw invalidField('returnUrl', problem);
}

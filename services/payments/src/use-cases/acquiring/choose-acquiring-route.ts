import type { PointMethod } from '@pay/contract/states.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { listPointAcquiringRoutes, type PointAcquiringRoute } from '../../db/merchant/point-acquiring-routes.ts';
import { LEASE_MS } from '../../db/payment/leases.ts';
import { changePayment, lockPayment, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { isWithin } from './check-amount.ts';
import { takesReceipt } from './check-receipt.ts';

/** A route and the acquirer that serves it. */
export type Routed = { readonly route: PointAcquiringRoute; readonly acquirer: Acquirer };

/**
 * The route for a new payment: the first of the point's routes for the method that accepts the amount, is ACTIVE, is not
 * known to be down and has capacity.
 */
export function firstUp(deps: Deps, routes: readonly PointAcquiringRoute[], amountKopecks: bigint): Routed | undefined {
  for (const route of routes) {
    if (route.status !== 'ACTIVE' || !isWithin(amountKopecks, route)) continue;
    const acquirer = deps.acquirerOf(route);
    if (acquirer?.takesOrders === true) return { route, acquirer };
  }
  return undefined;
}

/**
 * Moves a payment for which nothing was sent yet to the next available route. Undefined if there is none, or if the caller no
 * longer holds the lease: somebody else may have sent something by now. The move is committed before
 * anything goes to the new route, so the payment always names the only bank that can know it
 * (decisions/acquiring-routes).
 */
export async function moveToNextRoute(
  deps: Deps,
  payment: Payment,
  tried: ReadonlySet<string>,
): Promise<{ readonly payment: Payment; readonly acquirer: Acquirer } | undefined> {
  const { paymentId, paymentPointId, leaseNumber, amountKopecks } = payment;
  const method: PointMethod = payment.method === 'SBP_DYNAMIC_QR' ? 'SBP_DYNAMIC_QR' : 'CARD';
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockPayment(tx, paymentId);
    const now = await clock(tx);
    const isOurs =
      locked.status === 'CREATED' &&
      locked.routeId === payment.routeId &&
      locked.leaseNumber === leaseNumber &&
      locked.leaseUntil !== null &&
      now < locked.leaseUntil;
    if (!isOurs) return undefined;
    const routes = await listPointAcquiringRoutes(tx, paymentPointId, method);
    const next = firstUp(
      deps,
      routes.filter((route) => !tried.has(route.routeId) && takesReceipt(deps, payment.receipt, route)),
      amountKopecks,
    );
    if (next === undefined) return undefined;
    const until = new Date(now.getTime() + LEASE_MS);
    const { routeId } = next.route;
    const lease = { leaseUntil: until, leaseNumber: leaseNumber + 1 };
    const moved = await changePayment(tx, paymentId, { routeId, ...lease, nextReadAt: until });
    deps.log.warn('a payment was moved to the next route', { paymentId, from: payment.routeId, to: routeId });
    return { payment: moved, acquirer: next.acquirer };
  });
}

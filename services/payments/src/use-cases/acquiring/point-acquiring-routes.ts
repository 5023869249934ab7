import type { PointMethod } from '@pay/contract/states.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import {
  listPointAcquiringRoutes,
  replacePointAcquiringRoutes,
  type PointAcquiringRoute,
} from '../../db/merchant/point-acquiring-routes.ts';
import type { Deps } from '../../deps.ts';

/** A payment point's method. */
export type PointAndMethod = { readonly paymentPointId: string; readonly method: PointMethod };
type NewRoutes = Parameters<typeof replacePointAcquiringRoutes>[3];

/** GET /operator/payment-points/{paymentPointId}/routes/{method}: in the order in which they are tried. @throws ApiError NOT_FOUND */
export async function readPointAcquiringRoutes(
  deps: Deps,
  { paymentPointId, method }: PointAndMethod,
): Promise<readonly PointAcquiringRoute[]> {
  const routes = await listPointAcquiringRoutes(deps.db, paymentPointId, method);
  if (routes.length === 0) throw new ApiError('NOT_FOUND');
  return routes;
}

/** PUT on the same path: replaces the whole list. @throws ApiError NOT_FOUND; VALIDATION_FAILED for unknown or duplicate routes */
export async function setPointAcquiringRoutes(
  deps: Deps,
  point: PointAndMethod,
  routes: NewRoutes,
  operator: OperatorLogin,
): Promise<readonly PointAcquiringRoute[]> {
  const { paymentPointId, method } = point;
  const before = await readPointAcquiringRoutes(deps, point);
  const replace = inTransaction(deps.db, async (tx) => {
    await replacePointAcquiringRoutes(tx, paymentPointId, method, routes);
    const after = await listPointAcquiringRoutes(tx, paymentPointId, method);
    await insertAction(tx, {
      operator,
      action: 'point.routes',
      subjectId: paymentPointId,
      before: { method, routes: before.map(recorded) },
      after: { method, routes: after.map(recorded) },
    });
  });
  await replace.catch((error: unknown) => {
    throw violatedConstraint(error) === undefined
      ? error
      : invalidField('routes', 'must be distinct existing routes, each with its lowest amount not above its highest');
  });
  return readPointAcquiringRoutes(deps, point);
}

const recorded = ({ routeId, minAmountKopecks, maxAmountKopecks }: PointAcquiringRoute) => ({
  routeId,
  minAmount: renderRub(minAmountKopecks),
  maxAmount: renderRub(maxAmountKopecks),
});

import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { listPointRoutes, replacePointRoutes, type PointRoute } from '../../db/merchant/point-acquiring-routes.ts';
import type { Deps } from '../../deps.ts';
import type { PointMethod } from '../../domain/merchant/payment-point.ts';

/** A payment point's method. */
export type PointAndMethod = { readonly paymentPointId: string; readonly method: PointMethod };
type NewRoutes = Parameters<typeof replacePointRoutes>[3];

/** GET /operator/payment-points/{paymentPointId}/routes/{method}, in the order they are tried. @throws ApiError NOT_FOUND */
export async function readPointRoutes(
  deps: Deps,
  { paymentPointId, method }: PointAndMethod,
): Promise<readonly PointRoute[]> {
  const routes = await listPointRoutes(deps.db, paymentPointId, method);
  if (routes.length === 0) throw new ApiError('NOT_FOUND');
  return routes;
}

/** PUT of the same: the whole list. @throws ApiError NOT_FOUND; VALIDATION_FAILED for routes that are not there, or twice */
export async function setPointRoutes(
  deps: Deps,
  point: PointAndMethod,
  routes: NewRoutes,
  operator: OperatorLogin,
): Promise<readonly PointRoute[]> {
  const { paymentPointId, method } = point;
  const before = await readPointRoutes(deps, point);
  const replace = inTransaction(deps.db, async (tx) => {
    await replacePointRoutes(tx, paymentPointId, method, routes);
    const after = await listPointRoutes(tx, paymentPointId, method);
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
      : invalidField('routes', 'must be different routes that exist, each with a lowest amount below its highest');
  });
  return readPointRoutes(deps, point);
}

const recorded = ({ routeId, minAmountKopecks, maxAmountKopecks }: PointRoute) => ({
  routeId,
  minAmount: renderRub(minAmountKopecks),
  maxAmount: renderRub(maxAmountKopecks),
});

import { inTransaction, violatedConstraint } from '@pay/shared/database/database.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { listPointRoutes, replacePointRoutes, setRouteStatus, type PointRoute } from '../db/point-routes.ts';
import type { Deps } from '../deps.ts';
import type { PointMethod } from '../domain/payment-point.ts';

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
  operator: string,
): Promise<readonly PointRoute[]> {
  const { paymentPointId, method } = point;
  await readPointRoutes(deps, point);
  await inTransaction(deps.db, (tx) => replacePointRoutes(tx, paymentPointId, method, routes)).catch(
    (error: unknown) => {
      throw violatedConstraint(error) === undefined
        ? error
        : invalidField('routes', 'must be different routes that exist, each with a lowest amount below its highest');
    },
  );
  deps.log.info('an operator set the routes of a point', { paymentPointId, method, operator });
  return readPointRoutes(deps, point);
}

/** POST /operator/routes/{routeId}/suspend and /resume. @throws ApiError NOT_FOUND */
export async function changeRouteStatus(
  deps: Deps,
  routeId: string,
  status: 'ACTIVE' | 'SUSPENDED',
  operator: string,
): Promise<void> {
  if (!(await inTransaction(deps.db, (tx) => setRouteStatus(tx, routeId, status)))) throw new ApiError('NOT_FOUND');
  deps.log.info('an operator set the status of a route', { routeId, status, operator });
}

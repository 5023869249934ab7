import type { Tx } from '@pay/shared/postgres/db.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { insertRoute, listRoutes, lockRoute, updateRoute, type Route } from '../../db/merchant/payment-points.ts';
import { CONNECTORS } from '../../acquirers/connectors.ts';
import type { Deps } from '../../deps.ts';

/** GET /operator/routes */
export async function readRoutes(deps: Deps): Promise<readonly Route[]> {
  return listRoutes(deps.db);
}

type NewRoute = Pick<Route, 'routeId' | 'connector'> & Partial<Pick<Route, 'minAmountKopecks' | 'maxAmountKopecks'>>;

/**
 * POST /operator/routes: adds an account at a bank. Points use it once they name it.
 * @throws ApiError VALIDATION_FAILED if the connector is unknown, the id is taken, or the lower limit is above the upper
 */
export async function createRoute(deps: Deps, route: NewRoute, operator: OperatorLogin): Promise<Route> {
  if (!CONNECTORS.some((known) => known === route.connector)) throw invalidField('connector', `must be one of ${CONNECTORS.join(', ')}`);
  return limited(
    inTransaction(deps.db, async (tx) => {
      if (!(await insertRoute(tx, route))) throw invalidField('routeId', 'is already the id of a route');
      const made = await lockRoute(tx, route.routeId);
      if (made === undefined) throw new Error('the inserted route was not found');
      await record(tx, 'route.create', operator, { before: null, after: made });
      return made;
    }),
  );
}

type RouteChange = Parameters<typeof updateRoute>[2];

/**
 * POST /operator/routes/{routeId}/suspend and /resume, PUT /operator/routes/{routeId}/limits: apply to new payments; those in
 * progress continue. @throws ApiError NOT_FOUND; VALIDATION_FAILED if the lower limit is above the upper
 */
export async function changeRoute(deps: Deps, routeId: string, change: RouteChange, operator: OperatorLogin): Promise<Route> {
  return limited(
    inTransaction(deps.db, async (tx) => {
      const before = await lockRoute(tx, routeId);
      if (before === undefined) throw new ApiError('NOT_FOUND');
      const after = await updateRoute(tx, routeId, change);
      await record(tx, 'route.change', operator, { before, after });
      return after;
    }),
  );
}

function limited<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw violatedConstraint(error) === 'routes_amounts' ? invalidField('maxAmount', 'must not be below minAmount') : error;
  });
}

type Changed = { readonly before: Route | null; readonly after: Route };

async function record(tx: Tx, action: string, operator: OperatorLogin, { before, after }: Changed): Promise<void> {
  await insertAction(tx, {
    operator,
    action,
    subjectId: after.routeId,
    before: before === null ? null : stateOf(before),
    after: stateOf(after),
  });
}

const stateOf = ({ connector, status, minAmountKopecks, maxAmountKopecks }: Route) => ({
  connector,
  status,
  minAmount: renderRub(minAmountKopecks),
  maxAmount: renderRub(maxAmountKopecks),
});

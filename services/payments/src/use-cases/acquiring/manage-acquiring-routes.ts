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
 * POST /operator/routes: a further way to a bank whose connector this system has; points take it once they name it.
 * @throws ApiError VALIDATION_FAILED for an unknown connector, an id that is taken, or a minimum above the maximum
 */
export async function createRoute(deps: Deps, route: NewRoute, operator: OperatorLogin): Promise<Route> {
  if (!CONNECTORS.some((known) => known === route.connector))
    throw invalidField('connector', `must be one of ${CONNECTORS.join(', ')}`);
  return limited(
    inTransaction(deps.db, async (tx) => {
      if (!(await insertRoute(tx, route))) throw invalidField('routeId', 'belongs to a route already');
      const made = await lockRoute(tx, route.routeId);
      if (made === undefined) throw new Error('the route that was made is not there');
      await record(tx, 'route.create', operator, { before: null, after: made });
      return made;
    }),
  );
}

type RouteChange = Parameters<typeof updateRoute>[2];

/**
 * POST /operator/routes/{routeId}/suspend and /resume, PUT /operator/routes/{routeId}/limits: for new payments; those that
 * run go on. @throws ApiError NOT_FOUND; VALIDATION_FAILED for limits that are the wrong way round
 */
export async function changeRoute(
  deps: Deps,
  routeId: string,
  change: RouteChange,
  operator: OperatorLogin,
): Promise<Route> {
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
    throw violatedConstraint(error) === 'routes_amounts'
      ? invalidField('maxAmount', 'must not be below minAmount')
      : error;
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

import type { Acquirer } from '../../acquirers/acquirer.ts';
import { findRoute } from '../../db/merchant/payment-points.ts';
import type { Deps } from '../../deps.ts';

/** The acquirer of a payment's route; undefined if the route has no connector here. */
export async function findAcquirer(deps: Deps, routeId: string): Promise<Acquirer | undefined> {
  const route = await findRoute(deps.db, routeId);
  return route === undefined ? undefined : deps.acquirerOf(route);
}

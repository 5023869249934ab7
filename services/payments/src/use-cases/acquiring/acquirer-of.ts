import type { Channel } from '../../acquirers/acquirer.ts';
import { findRoute } from '../../db/merchant/payment-points.ts';
import type { Deps } from '../../deps.ts';

/** The channel behind a payment's route; undefined when the route has no connector here. */
export async function findChannel(deps: Deps, routeId: string): Promise<Channel | undefined> {
  const route = await findRoute(deps.db, routeId);
  return route === undefined ? undefined : deps.channelOf(route);
}

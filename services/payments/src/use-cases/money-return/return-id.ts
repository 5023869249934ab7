import { createHash } from 'node:crypto';
import { isUuid } from '../../db/reconciliation/our-operations.ts';

/**
 * Our id for an operation of a route's register: its own. A refund made in the bank's cabinet may have another kind of id, such as
 * `R-77`: then it is a UUIDv8 of the route and that id, the same whenever it is asked for. See
 * decisions/reconciliation.
 */
export function returnIdOf(routeId: string, operationId: string): string {
  if (isUuid(operationId)) return operationId;
  const hash = createHash('sha256')
    .update(JSON.stringify([routeId, operationId]))
    .digest('hex');
  const [first, second] = [hash.slice(0, 8), hash.slice(8, 12)];
  return `${first}-${second}-8${hash.slice(12, 15)}-8${hash.slice(15, 18)}-${hash.slice(18, 30)}`;
}

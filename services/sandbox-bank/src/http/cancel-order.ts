import type { HttpDeps } from '../deps.ts';
import { cancelOrder } from '../use-cases/cancel-order.ts';
import type { BankRoute } from './acquirer-call.ts';
import { operationIdOfPath } from './fields.ts';
import { renderOperation } from './render-operation.ts';

/** POST /v1/orders/{operationId}/cancel; takes no body. */
export function cancelOrderRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const operation = await cancelOrder(deps, operationIdOfPath(req));
    return { body: renderOperation(deps, operation), answer: 'GIVEN' };
  };
}

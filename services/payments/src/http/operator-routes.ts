import type { RequestHandler } from 'express';
import { z } from 'zod';
import { inTransaction, violatedConstraint } from '@pay/shared/database/database.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { listPointRoutes, replacePointRoutes, setRouteStatus } from '../db/point-routes.ts';
import type { Deps } from '../deps.ts';
import { refundAmount as amountText } from './fields.ts';

const Path = z.object({
  paymentPointId: z.string().min(1).max(128),
  method: z.enum(['CARD', 'SBP_DYNAMIC_QR']),
});
const Body = z.strictObject({
  routes: z
    .array(
      z.strictObject({
        routeId: z.string().min(1).max(64),
        minAmount: amountText.optional(),
        maxAmount: amountText.optional(),
      }),
    )
    .max(10),
});
const RoutePath = z.object({ routeId: z.string().min(1).max(64) });

/** GET /operator/payment-points/{paymentPointId}/routes/{method}: in the order they are tried. */
export function getPointRoutesRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { paymentPointId, method } = validate(Path, req.params);
    res.json(await renderRoutes(deps, paymentPointId, method));
  };
}

/** PUT of the same: the whole list, the first is tried first; an empty one leaves the point's own route. */
export function setPointRoutesRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { paymentPointId, method } = validate(Path, req.params);
    const { routes } = validate(Body, jsonBody(req));
    const wanted = routes.map(({ routeId, minAmount, maxAmount }) => ({
      routeId,
      ...(minAmount === undefined ? {} : { minAmountKopecks: minAmount }),
      ...(maxAmount === undefined ? {} : { maxAmountKopecks: maxAmount }),
    }));
    await inTransaction(deps.db, (tx) => replacePointRoutes(tx, paymentPointId, method, wanted)).catch(
      (error: unknown) => {
        throw violatedConstraint(error) === undefined
          ? error
          : invalidField('routes', 'must be different routes that exist, each with a lowest amount below its highest');
      },
    );
    deps.log.info('an operator set the routes of a point', {
      paymentPointId,
      method,
      operator: callerOf(res).partnerId,
    });
    res.json(await renderRoutes(deps, paymentPointId, method));
  };
}

/** POST /operator/routes/{routeId}/suspend and /resume: new payments leave a suspended route out; those that run go on. */
export function setRouteStatusRoute(deps: Deps, status: 'ACTIVE' | 'SUSPENDED'): RequestHandler {
  return async (req, res) => {
    const { routeId } = validate(RoutePath, req.params);
    if (!(await inTransaction(deps.db, (tx) => setRouteStatus(tx, routeId, status)))) throw new ApiError('NOT_FOUND');
    deps.log.info('an operator set the status of a route', { routeId, status, operator: callerOf(res).partnerId });
    res.json({ routeId, status });
  };
}

async function renderRoutes(deps: Deps, paymentPointId: string, method: 'CARD' | 'SBP_DYNAMIC_QR') {
  const routes = await listPointRoutes(deps.db, paymentPointId, method);
  if (routes.length === 0) throw new ApiError('NOT_FOUND');
  return {
    paymentPointId,
    method,
    routes: routes.map(({ routeId, connector, status, minAmountKopecks, maxAmountKopecks }) => ({
      routeId,
      connector,
      status,
      minAmount: renderRub(minAmountKopecks),
      maxAmount: renderRub(maxAmountKopecks),
    })),
  };
}

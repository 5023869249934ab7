import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { CONNECTORS } from '../../acquirers/connectors.ts';
import type { Route } from '../../db/merchant/payment-points.ts';
import type { PointAcquiringRoute } from '../../db/merchant/point-acquiring-routes.ts';
import type { Deps } from '../../deps.ts';
import { changeRoute, createRoute, readRoutes } from '../../use-cases/acquiring/manage-acquiring-routes.ts';
import {
  readPointAcquiringRoutes,
  setPointAcquiringRoutes,
  type PointAndMethod,
} from '../../use-cases/acquiring/point-acquiring-routes.ts';
import { refundAmount as amountText } from '../fields.ts';

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
const NewRoute = z.strictObject({
  routeId: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -'),
  connector: z.enum(CONNECTORS),
  minAmount: amountText.optional(),
  maxAmount: amountText.optional(),
});
const Limits = z.strictObject({ minAmount: amountText, maxAmount: amountText });

/** GET /operator/payment-points/{paymentPointId}/routes/{method}: in the order they are tried. */
export function getPointAcquiringRoutesRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const point = validate(Path, req.params);
    res.json(renderRoutes(point, await readPointAcquiringRoutes(deps, point)));
  };
}

/** PUT of the same: the whole list, the first is tried first; an empty one leaves the point's own route. */
export function setPointAcquiringRoutesRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const point = validate(Path, req.params);
    const { routes } = validate(Body, jsonBody(req));
    const wanted = routes.map(({ routeId, minAmount, maxAmount }) => ({
      routeId,
      ...(minAmount === undefined ? {} : { minAmountKopecks: minAmount }),
      ...(maxAmount === undefined ? {} : { maxAmountKopecks: maxAmount }),
    }));
    res.json(renderRoutes(point, await setPointAcquiringRoutes(deps, point, wanted, operatorOf(res).login)));
  };
}

/** POST /operator/routes/{routeId}/suspend and /resume: new payments leave a suspended route out; those that run go on. */
export function setRouteStatusRoute(deps: Deps, status: 'ACTIVE' | 'SUSPENDED'): RequestHandler {
  return async (req, res) => {
    const { routeId } = validate(RoutePath, req.params);
    res.json(renderRoute(await changeRoute(deps, routeId, { status }, operatorOf(res).login)));
  };
}

/** GET /operator/routes: every way to a bank. */
export function listRoutesRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    res.json({ items: (await readRoutes(deps)).map(renderRoute) });
  };
}

/** POST /operator/routes */
export function createRouteRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { routeId, connector, minAmount, maxAmount } = validate(NewRoute, jsonBody(req));
    const route = {
      routeId,
      connector,
      ...(minAmount === undefined ? {} : { minAmountKopecks: minAmount }),
      ...(maxAmount === undefined ? {} : { maxAmountKopecks: maxAmount }),
    };
    res.status(201).json(renderRoute(await createRoute(deps, route, operatorOf(res).login)));
  };
}

/** PUT /operator/routes/{routeId}/limits */
export function setRouteLimitsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { routeId } = validate(RoutePath, req.params);
    const { minAmount, maxAmount } = validate(Limits, jsonBody(req));
    const change = { minAmountKopecks: minAmount, maxAmountKopecks: maxAmount };
    res.json(renderRoute(await changeRoute(deps, routeId, change, operatorOf(res).login)));
  };
}

function renderRoute({ routeId, connector, status, minAmountKopecks, maxAmountKopecks, createdAt }: Route) {
  return {
    routeId,
    connector,
    status,
    minAmount: renderRub(minAmountKopecks),
    maxAmount: renderRub(maxAmountKopecks),
    createdAt: createdAt.toISOString(),
  };
}

function renderRoutes(point: PointAndMethod, routes: readonly PointAcquiringRoute[]) {
  return {
    ...point,
    routes: routes.map(({ routeId, connector, status, minAmountKopecks, maxAmountKopecks }) => ({
      routeId,
      connector,
      status,
      minAmount: renderRub(minAmountKopecks),
      maxAmount: renderRub(maxAmountKopecks),
    })),
  };
}

import type { RequestHandler } from 'express';
import {
  AcquiringRoutePath,
  CreateAcquiringRoute,
  PointMethodPath,
  SetAcquiringRouteLimits,
  SetPointRoutes,
  type AcquiringRoute,
  type AcquiringRouteList,
  type PointAcquiringRoutes,
} from '@pay/contract/operator/acquiring-routes.ts';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import type { AcquiringRouteStatus } from '@pay/contract/operator/states.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Route } from '../../db/merchant/payment-points.ts';
import type { PointAcquiringRoute } from '../../db/merchant/point-acquiring-routes.ts';
import type { Deps } from '../../deps.ts';
import { changeRoute, createRoute, readRoutes } from '../../use-cases/acquiring/manage-acquiring-routes.ts';
import {
  readPointAcquiringRoutes,
  setPointAcquiringRoutes,
  type PointAndMethod,
} from '../../use-cases/acquiring/point-acquiring-routes.ts';

/** GET /operator/payment-points/{paymentPointId}/routes/{method}: in the order in which they are tried. */
export function getPointAcquiringRoutesRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const point = validate(PointMethodPath, req.params);
    res.json(renderPointRoutes(point, await readPointAcquiringRoutes(deps, point)));
  };
}

/** PUT of the same: the whole list, the first is tried first. An empty list leaves the point its own route. */
export function setPointAcquiringRoutesRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const point = validate(PointMethodPath, req.params);
    const { routes } = validate(SetPointRoutes, jsonBody(req));
    res.json(renderPointRoutes(point, await setPointAcquiringRoutes(deps, point, routes, operatorOf(res).login)));
  };
}

/** POST /operator/routes/{routeId}/suspend and /resume: a suspended route takes no new payments; those that have begun go on. */
export function setRouteStatusRoute(deps: Deps, status: AcquiringRouteStatus): RequestHandler {
  return async (req, res) => {
    const { routeId } = validate(AcquiringRoutePath, req.params);
    res.json(renderRoute(await changeRoute(deps, routeId, { status }, operatorOf(res).login)));
  };
}

/** GET /operator/routes: every acquiring route. */
export function listRoutesRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const list: RecordOf<typeof AcquiringRouteList> = { items: (await readRoutes(deps)).map(renderRoute) };
    res.json(list);
  };
}

/** POST /operator/routes */
export function createRouteRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const route = validate(CreateAcquiringRoute, jsonBody(req));
    res.status(201).json(renderRoute(await createRoute(deps, route, operatorOf(res).login)));
  };
}

/** PUT /operator/routes/{routeId}/limits */
export function setRouteLimitsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { routeId } = validate(AcquiringRoutePath, req.params);
    const limits = validate(SetAcquiringRouteLimits, jsonBody(req));
    res.json(renderRoute(await changeRoute(deps, routeId, limits, operatorOf(res).login)));
  };
}

function renderRoute({ createdAt, ...route }: Route): AcquiringRoute {
  return { ...renderRouteOfPoint(route), createdAt: createdAt.toISOString() };
}

function renderPointRoutes(point: PointAndMethod, routes: readonly PointAcquiringRoute[]): PointAcquiringRoutes {
  return { ...point, routes: routes.map(renderRouteOfPoint) };
}

function renderRouteOfPoint(route: PointAcquiringRoute): PointAcquiringRoutes['routes'][number] {
  const { routeId, connector, status, minAmountKopecks, maxAmountKopecks } = route;
  return {
    routeId,
    connector,
    status,
    minAmount: renderRub(minAmountKopecks),
    maxAmount: renderRub(maxAmountKopecks),
  };
}

import type { Express } from 'express';
import { readDeadLetterAge } from '@pay/shared/broker/dead-letters.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { addFactsOperatorRoutes, type FactsDeps } from '@pay/shared/facts/operator-routes.ts';
import { addQueueRoutes, type QueueDeps } from '@pay/shared/broker/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { operatorRoutes } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import { listEventsRoute, getEventRoute, resendEventRoute } from './events.ts';
import { listGapsRoute } from './gaps.ts';
import { overviewRoute } from './overview.ts';
import {
  getReceiverRoute,
  listActionsRoute,
  listAlertsRoute,
  listReceiversRoute,
  openRotationRoute,
  testCallbackRoute,
} from './partners.ts';
import { cancelReplayRoute, createReplayRoute, getReplayRoute, listReplaysRoute } from './replays.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'notifier-operator';

/** The routes of operators, on the private port below `/operator`. */
export function createOperatorApp(deps: Deps & QueueDeps & FactsDeps, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      const routes = operatorRoutes(app, deps.db, verify);
      routes.get('/events', 'deliveries.read', listEventsRoute(deps));
      routes.get('/events/:eventId', 'deliveries.read', getEventRoute(deps));
      routes.post('/events/:eventId/resend', 'deliveries.resend', resendEventRoute(deps));
      routes.get('/replays', 'deliveries.read', listReplaysRoute(deps));
      routes.post('/replays', 'deliveries.replay', createReplayRoute(deps));
      routes.get('/replays/:replayId', 'deliveries.read', getReplayRoute(deps));
      routes.post('/replays/:replayId/cancel', 'deliveries.replay', cancelReplayRoute(deps));
      routes.get('/partners', 'deliveries.read', listReceiversRoute(deps));
      routes.get('/partners/:partnerId', 'deliveries.read', getReceiverRoute(deps));
      routes.post('/partners/:partnerId/secret-rotation', 'secrets.rotate', openRotationRoute(deps));
      routes.post('/partners/:partnerId/test-callback', 'deliveries.test', testCallbackRoute(deps));
      routes.get('/alerts', 'deliveries.read', listAlertsRoute(deps));
      routes.get('/actions', 'deliveries.read', listActionsRoute(deps));
      routes.get('/gaps', 'deliveries.read', listGapsRoute(deps));
      routes.get('/overview', 'overview.read', overviewRoute(deps));
      addQueueRoutes(routes, deps, [readDeadLetterAge]);
      addFactsOperatorRoutes(routes, deps);
    },
  });
}

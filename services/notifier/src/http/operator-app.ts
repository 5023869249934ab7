import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { addQueueRoutes, type QueueDeps } from '@pay/shared/http/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { requireOperator } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../deps.ts';
import { listEventsRoute, getEventRoute, resendEventRoute } from './operator-events.ts';
import { listGapsRoute } from './operator-gaps.ts';
import { overviewRoute } from './operator-overview.ts';
import {
  getReceiverRoute,
  listActionsRoute,
  listAlertsRoute,
  listReceiversRoute,
  openRotationRoute,
  testCallbackRoute,
} from './operator-partners.ts';
import { cancelReplayRoute, createReplayRoute, getReplayRoute, listReplaysRoute } from './operator-replays.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'notifier-operator';

/** The routes of operators, on the private port below `/operator`. */
export function createOperatorApp(deps: Deps & QueueDeps, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireOperator(verify));
      app.get('/events', listEventsRoute(deps));
      app.get('/events/:eventId', getEventRoute(deps));
      app.post('/events/:eventId/resend', resendEventRoute(deps));
      app.get('/replays', listReplaysRoute(deps));
      app.post('/replays', createReplayRoute(deps));
      app.get('/replays/:replayId', getReplayRoute(deps));
      app.post('/replays/:replayId/cancel', cancelReplayRoute(deps));
      app.get('/partners', listReceiversRoute(deps));
      app.get('/partners/:partnerId', getReceiverRoute(deps));
      app.post('/partners/:partnerId/secret-rotation', openRotationRoute(deps));
      app.post('/partners/:partnerId/test-callback', testCallbackRoute(deps));
      app.get('/alerts', listAlertsRoute(deps));
      app.get('/actions', listActionsRoute(deps));
      app.get('/gaps', listGapsRoute(deps));
      app.get('/overview', overviewRoute(deps));
      addQueueRoutes(app, deps);
    },
  });
}

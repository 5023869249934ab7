import type { RequestHandler } from 'express';
import {
  OfPartnerQuery,
  OpenRotation,
  ReceiverQuery,
  type Alert,
  type DeliveryAuditLogEntry,
  type OpenedRotation,
  type Receiver,
  type ReceiverWithKeys,
} from '@pay/contract/operator/deliveries.ts';
import type { ReceiverState } from '@pay/contract/operator/states.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { pathName } from '@pay/shared/http/path-id.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { openSecretRotation } from '../../use-cases/open-rotation.ts';
import {
  readActions,
  readAlerts,
  readReceiver,
  readReceivers,
  type ActionRow,
  type AlertRow,
  type ReceiverOverview,
} from '../../use-cases/read-event-log.ts';
import { sendTestCallback } from '../../use-cases/resend-event.ts';
import { renderEventRow } from './events.ts';

/** GET /operator/partners */
export function listReceiversRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validateQuery(ReceiverQuery, req.url);
    res.json({ items: (await readReceivers(deps, query.after, query.limit)).map(renderReceiver) });
  };
}

/** GET /operator/partners/{partnerId}: never a secret. */
export function getReceiverRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { receiver, keys } = await readReceiver(deps, pathName(req, 'partnerId'));
    const answer: ReceiverWithKeys = {
      ...renderReceiver(receiver),
      keys: keys.map(({ keyId, issuedAt, expiresAt }) => ({
        keyId,
        issuedAt: issuedAt.toISOString(),
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
    };
    res.json(answer);
  };
}

/** POST /operator/partners/{partnerId}/secret-rotation */
export function openRotationRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const partnerId = pathName(req, 'partnerId');
    const { overlapHours } = validate(OpenRotation, jsonBody(req));
    await openSecretRotation(deps, operatorOf(res).login, partnerId, overlapHours * 3_600);
    const opened: OpenedRotation = { partnerId, overlapHours };
    res.json(opened);
  };
}

/** POST /operator/partners/{partnerId}/test-callback */
export function testCallbackRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const by = { login: operatorOf(res).login, isOperator: true };
    res.status(202).json(renderEventRow(await sendTestCallback(deps, pathName(req, 'partnerId'), by)));
  };
}

/** GET /operator/alerts */
export function listAlertsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validateQuery(OfPartnerQuery, req.url);
    res.json({ items: (await readAlerts(deps, query.partnerId, query.limit)).map(renderAlert) });
  };
}

function renderAlert({ id, partnerId, kind, eventId, raisedAt }: AlertRow): Alert {
  return { alertId: id.toString(), partnerId, kind, eventId, raisedAt: raisedAt.toISOString() };
}

/** GET /operator/actions */
export function listActionsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validateQuery(OfPartnerQuery, req.url);
    res.json({ items: (await readActions(deps, query.partnerId, query.limit)).map(renderAction) });
  };
}

function renderAction({ operator, action, partnerId, details, at }: ActionRow): DeliveryAuditLogEntry {
  return { operator, action, partnerId, details, at: at.toISOString() };
}

/** The first state that applies, in the order of RECEIVER_STATES. */
function stateOf(receiver: ReceiverOverview): ReceiverState {
  if (receiver.callbackUrl === null) return 'NO_ADDRESS';
  if (!receiver.hasSigningKey) return 'NO_SECRET';
  if (receiver.deadSince !== null) return 'DEAD';
  if (receiver.refusingSince !== null) return 'REFUSING';
  if (receiver.failuresInARow > 0) return 'FAILING';
  return receiver.isSlow ? 'SLOW' : 'HEALTHY';
}

function renderReceiver(receiver: ReceiverOverview): Receiver {
  return {
    partnerId: receiver.partnerId,
    callbackUrl: receiver.callbackUrl,
    state: stateOf(receiver),
    failuresInARow: receiver.failuresInARow,
    failingSince: receiver.failingSince?.toISOString() ?? null,
    deadSince: receiver.deadSince?.toISOString() ?? null,
    refusingSince: receiver.refusingSince?.toISOString() ?? null,
    rotationOpenedAt: receiver.rotationOpenedAt?.toISOString() ?? null,
    waiting: receiver.waiting,
  };
}

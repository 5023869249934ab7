import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { openSecretRotation } from '../../use-cases/open-rotation.ts';
import {
  readActions,
  readAlerts,
  readReceiver,
  readReceivers,
  type ReceiverOverview,
} from '../../use-cases/read-event-log.ts';
import { sendTestCallback } from '../../use-cases/resend-event.ts';
import { renderEventRow } from './events.ts';
import { limit, partnerId, PartnerListQuery } from '../fields.ts';

const ListQuery = z.strictObject({ after: partnerId.optional(), limit });
const PartnerPath = z.object({ partnerId });

/** See spec/decisions#callback-secret: both secrets sign for 24 h unless the operator says otherwise. */
const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 168;
const RotationBody = z.strictObject({
  overlapHours: z
    .custom<number>((value) => value === undefined || readWholeNumber(value) !== undefined, 'must be a whole number')
    .transform((value) => readWholeNumber(value) ?? OVERLAP_HOURS)
    .refine((hours) => hours <= OVERLAP_HOURS_MAX, `must be at most ${String(OVERLAP_HOURS_MAX)}`)
    .optional()
    .transform((hours) => hours ?? OVERLAP_HOURS),
});

/** The body reader keeps numbers as they were written. */
function readWholeNumber(value: unknown): number | undefined {
  const token = typeof value === 'object' && value !== null && 'token' in value ? value.token : undefined;
  return typeof token === 'string' && /^\d{1,4}$/.test(token) ? Number(token) : undefined;
}

/** GET /operator/partners */
export function listReceiversRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validate(ListQuery, req.query);
    res.json({ items: (await readReceivers(deps, query.after, query.limit)).map(renderReceiver) });
  };
}

/** GET /operator/partners/{partnerId}: never a secret. */
export function getReceiverRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { receiver, keys } = await readReceiver(deps, validate(PartnerPath, req.params).partnerId);
    res.json({
      ...renderReceiver(receiver),
      keys: keys.map(({ keyId, issuedAt, expiresAt }) => ({
        keyId,
        issuedAt: issuedAt.toISOString(),
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
    });
  };
}

/** POST /operator/partners/{partnerId}/secret-rotation */
export function openRotationRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const params = validate(PartnerPath, req.params);
    const { overlapHours } = validate(RotationBody, jsonBody(req));
    await openSecretRotation(deps, operatorOf(res).login, params.partnerId, overlapHours * 3_600);
    res.json({ partnerId: params.partnerId, overlapHours });
  };
}

/** POST /operator/partners/{partnerId}/test-callback */
export function testCallbackRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const params = validate(PartnerPath, req.params);
    const by = { login: operatorOf(res).login, isOperator: true };
    res.status(202).json(renderEventRow(await sendTestCallback(deps, params.partnerId, by)));
  };
}

/** GET /operator/alerts */
export function listAlertsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validate(PartnerListQuery, req.query);
    const alerts = await readAlerts(deps, query.partnerId, query.limit);
    res.json({
      items: alerts.map(({ id, partnerId, kind, eventId, raisedAt }) => ({
        alertId: id.toString(),
        partnerId,
        kind,
        eventId,
        raisedAt: raisedAt.toISOString(),
      })),
    });
  };
}

/** GET /operator/actions */
export function listActionsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validate(PartnerListQuery, req.query);
    const actions = await readActions(deps, query.partnerId, query.limit);
    res.json({
      items: actions.map(({ operator, action, partnerId, details, at }) => ({
        operator,
        action,
        partnerId,
        details,
        at: at.toISOString(),
      })),
    });
  };
}

/** The first that applies of what an operator would ask. */
function stateOf(receiver: ReceiverOverview): string {
  if (receiver.callbackUrl === null) return 'NO_ADDRESS';
  if (!receiver.hasSigningKey) return 'NO_SECRET';
  if (receiver.deadSince !== null) return 'DEAD';
  if (receiver.refusingSince !== null) return 'REFUSING';
  if (receiver.failuresInARow > 0) return 'FAILING';
  return receiver.isSlow ? 'SLOW' : 'HEALTHY';
}

function renderReceiver(receiver: ReceiverOverview): Readonly<Record<string, unknown>> {
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

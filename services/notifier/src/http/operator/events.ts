import type { RequestHandler } from 'express';
import { DeliveryQuery, type Attempt, type Delivery, type DeliveryWithAttempts } from '@pay/contract/operator/deliveries.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readEvent, readEvents, type AttemptRow, type EventRow, type LogPosition } from '../../use-cases/read-event-log.ts';
import { resendEvent } from '../../use-cases/resend-event.ts';

/** GET /operator/events */
export function listEventsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validateQuery(DeliveryQuery, req.url);
    const filter = {
      id: query.id,
      partnerId: query.partnerId,
      aggregateId: query.paymentId,
      types: query.type === undefined ? undefined : [query.type],
      statuses: query.status === undefined ? undefined : [query.status],
      from: query.from,
      to: query.to,
    };
    const { items, next } = await readEvents(deps, filter, readToken(query.pageToken), query.limit);
    res.json({ items: items.map(renderEventRow), nextPageToken: next === undefined ? null : writeToken(next) });
  };
}

/** GET /operator/events/{eventId}: the exact bytes, and every attempt. */
export function getEventRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { event, attempts } = await readEvent(deps, pathId(req, 'eventId'));
    const delivery: DeliveryWithAttempts = {
      ...renderEventRow(event),
      body: event.body.toString('utf8'),
      bodyBase64: event.body.toString('base64'),
      attempts: attempts.map(renderAttempt),
    };
    res.json(delivery);
  };
}

/** POST /operator/events/{eventId}/resend */
export function resendEventRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const event = await resendEvent(deps, operatorOf(res).login, pathId(req, 'eventId'));
    res.status(202).json(renderEventRow(event));
  };
}

/** An event without its body. */
export function renderEventRow(event: EventRow): Delivery {
  return {
    eventId: event.eventId,
    partnerId: event.partnerId,
    type: event.type,
    aggregateId: event.aggregateId,
    aggregateVersion: event.aggregateVersion,
    status: event.status,
    attemptCount: event.attemptCount,
    recordedAt: event.recordedAt.toISOString(),
    nextAttemptAt: event.nextAttemptAt?.toISOString() ?? null,
    endedAt: event.endedAt?.toISOString() ?? null,
    resentBy: event.resentBy,
    requestId: event.requestId,
  };
}

function renderAttempt(attempt: AttemptRow): Attempt {
  return {
    number: attempt.number,
    url: attempt.url,
    keyIds: attempt.keyIds.split(','),
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    httpStatus: attempt.status,
    failure: attempt.failure,
    outcome: attempt.outcome,
    // Written by the partner's server: in base64, nothing shows it unescaped by accident.
    excerptBase64: attempt.excerpt?.toString('base64') ?? null,
    nextAttemptAt: attempt.nextAttemptAt?.toISOString() ?? null,
    resentBy: attempt.resentBy,
  };
}

function writeToken({ recordedAt, eventId }: LogPosition): string {
  return `${String(recordedAt.getTime())}_${eventId}`;
}

function readToken(token: string | undefined): LogPosition | undefined {
  if (token === undefined) return undefined;
  const [time = '', eventId = ''] = token.split('_');
  return { recordedAt: new Date(Number(time)), eventId };
}

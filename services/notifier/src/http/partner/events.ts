import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody, rawBody } from '@pay/shared/http/app.ts';
import { partnerOf, idempotentRequest } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readEvents, readPartnerEvent, type AttemptRow, type EventRow } from '../../use-cases/read-event-log.ts';
import { replayEvent } from '../../use-cases/replay-event.ts';
import { eventStatus, eventType, limit, moment } from '../fields.ts';

const Query = z.strictObject({
  objectId: z.uuid('must be the id of a payment, binding, payout request or register').optional(),
  type: eventType.optional(),
  status: eventStatus.optional(),
  from: moment.optional(),
  to: moment.optional(),
  limit,
  pageToken: z.string().optional(),
});

/** GET /api/events: the partner's own events, the newest first; recorded from `from` on, and before `to`. */
export function listPartnerEventsRoute(deps: Deps, pageTokens: PageTokens): RequestHandler {
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const { objectId, type, status, from, to, limit: count, pageToken } = validate(Query, { ...req.query });
    const scope = ['events', partnerId, objectId, type, status, from?.toISOString(), to?.toISOString()];
    const after = readPosition(pageTokens, pageToken, scope);
    const filter = {
      partnerId,
      aggregateId: objectId,
      types: type === undefined ? undefined : [type],
      statuses: status === undefined ? undefined : [status],
      from,
      to,
    };
    const before = after === undefined ? undefined : { recordedAt: after.createdAt, eventId: after.id };
    const { items, next } = await readEvents(deps, filter, before, count);
    const position = next === undefined ? undefined : { createdAt: next.recordedAt, id: next.eventId };
    res.json({ items: items.map(renderRow), nextPageToken: writePosition(pageTokens, position, scope) });
  };
}

/** GET /api/events/{eventId}: what was sent, and how each attempt went. */
export function getPartnerEventRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { event, attempts } = await readPartnerEvent(deps, partnerOf(res), eventIdOf(req));
    res.json({ ...renderRow(event), body: event.body.toString('utf8'), attempts: attempts.map(renderAttempt) });
  };
}

const NoBody = z.strictObject({}, { error: 'must be absent or an empty JSON object' });

/** POST /api/events/{eventId}/replay. Says all in its path: a body may be absent, or `{}`. */
export function replayPartnerEventRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    if (rawBody(req).length > 0) validate(NoBody, jsonBody(req));
    const request = idempotentRequest(req, res);
    const { event, replayed } = await replayEvent(deps, request, eventIdOf(req));
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(202).json(renderRow(event));
  };
}

/** What is no id is nobody's event. */
function eventIdOf(req: Request): string {
  const id = z.uuid().safeParse(req.params['eventId']);
  if (!id.success) throw new ApiError('NOT_FOUND');
  return id.data;
}

/** Not who of our people sent it again, and nothing else of the inside of the house. */
function renderRow(event: EventRow): Readonly<Record<string, unknown>> {
  return {
    eventId: event.eventId,
    type: event.type,
    objectId: event.aggregateId,
    aggregateVersion: event.aggregateVersion,
    status: event.status,
    attemptCount: event.attemptCount,
    recordedAt: event.recordedAt.toISOString(),
    nextAttemptAt: event.nextAttemptAt?.toISOString() ?? null,
    endedAt: event.endedAt?.toISOString() ?? null,
  };
}

function renderAttempt(attempt: AttemptRow): Readonly<Record<string, unknown>> {
  return {
    number: attempt.number,
    url: attempt.url,
    keyIds: attempt.keyIds.split(','),
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    httpStatus: attempt.status,
    failure: attempt.failure,
    outcome: attempt.outcome,
    // What was answered with a 200 is not kept. In base64: it may be anything.
    answerBase64: attempt.excerpt?.toString('base64') ?? null,
    nextAttemptAt: attempt.nextAttemptAt?.toISOString() ?? null,
    isReplay: attempt.resentBy !== null,
  };
}

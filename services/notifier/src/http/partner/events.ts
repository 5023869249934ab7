import type { RequestHandler } from 'express';
import { CallbackEventQuery, type CallbackEvent, type CallbackEventStory } from '@pay/contract/api/event-log.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { partnerOf, idempotentRequest } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { refuseContent } from '@pay/shared/http/refuse-content.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readEvents, readPartnerEvent, type AttemptRow, type EventRow } from '../../use-cases/read-event-log.ts';
import { replayEvent } from '../../use-cases/replay-event.ts';

/** GET /api/events: the partner's own events, newest first, recorded from `from` (included) to `to` (not included). */
export function listPartnerEventsRoute(deps: Deps, pageTokens: PageTokens): RequestHandler {
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const { objectId, type, status, from, to, limit: count, pageToken } = validateQuery(CallbackEventQuery, req.url);
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

/** GET /api/events/{eventId}: what was sent, and the result of each attempt. */
export function getPartnerEventRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { event, attempts } = await readPartnerEvent(deps, partnerOf(res), pathId(req, 'eventId'));
    res.json({ ...renderRow(event), body: event.body.toString('utf8'), attempts: attempts.map(renderAttempt) });
  };
}

/** POST /api/events/{eventId}/replay. The path says everything: the body may be absent or `{}`. */
export function replayPartnerEventRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    refuseContent(req);
    const request = idempotentRequest(req, res);
    const { event, replayed } = await replayEvent(deps, request, pathId(req, 'eventId'));
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(202).json(renderRow(event));
  };
}

/** Excludes who of our staff resent it, and everything else internal. */
function renderRow(event: EventRow): Wire<typeof CallbackEvent> {
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

function renderAttempt(attempt: AttemptRow): Wire<typeof CallbackEventStory>['attempts'][number] {
  return {
    number: attempt.number,
    url: attempt.url,
    keyIds: attempt.keyIds.split(','),
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    httpStatus: attempt.status,
    failure: attempt.failure,
    outcome: attempt.outcome,
    // The body of a 200 is not stored. Base64, because it may be anything.
    answerBase64: attempt.excerpt?.toString('base64') ?? null,
    nextAttemptAt: attempt.nextAttemptAt?.toISOString() ?? null,
    isReplay: attempt.resentBy !== null,
  };
}

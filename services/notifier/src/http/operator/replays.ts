import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readReplay, readReplays, type ReplayRow } from '../../use-cases/read-event-log.ts';
import { previewReplay, startReplay, stopReplay } from '../../use-cases/replay-events.ts';
import { eventStatus, eventType, moment, partnerId, PartnerListQuery } from '../fields.ts';

const Body = z
  .strictObject({
    partnerId,
    from: moment,
    to: moment,
    types: z.array(eventType).max(20).default([]),
    statuses: z.array(eventStatus.exclude(['WAITING'])).default([]),
    dryRun: z.boolean().default(false),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be later than from' });
const ReplayPath = z.object({ replayId: z.uuid() });

/** POST /operator/replays; with `dryRun` it only counts. */
export function createReplayRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { dryRun, ...request } = validate(Body, jsonBody(req));
    if (dryRun) {
      res.json({ total: await previewReplay(deps, request) });
      return;
    }
    res.status(202).json(renderReplay(await startReplay(deps, operatorOf(res).login, request)));
  };
}

/** GET /operator/replays */
export function listReplaysRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validate(PartnerListQuery, req.query);
    res.json({ items: (await readReplays(deps, query.partnerId, query.limit)).map(renderReplay) });
  };
}

/** GET /operator/replays/{replayId} */
export function getReplayRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderReplay(await readReplay(deps, validate(ReplayPath, req.params).replayId)));
  };
}

/** POST /operator/replays/{replayId}/cancel */
export function cancelReplayRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { replayId } = validate(ReplayPath, req.params);
    res.json(renderReplay(await stopReplay(deps, operatorOf(res).login, replayId)));
  };
}

function renderReplay(replay: ReplayRow): Readonly<Record<string, unknown>> {
  return {
    replayId: replay.replayId,
    partnerId: replay.partnerId,
    from: replay.from.toISOString(),
    to: replay.to.toISOString(),
    types: replay.types,
    statuses: replay.statuses,
    state: replay.state,
    total: replay.total,
    resent: replay.resent,
    requestedBy: replay.requestedBy,
    createdAt: replay.createdAt.toISOString(),
  };
}

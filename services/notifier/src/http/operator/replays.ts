import type { RequestHandler } from 'express';
import { OfPartnerQuery, StartReplay, type Replay, type ReplayCount } from '@pay/contract/operator/deliveries.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readReplay, readReplays, type ReplayRow } from '../../use-cases/read-event-log.ts';
import { previewReplay, startReplay, stopReplay } from '../../use-cases/replay-events.ts';

/** POST /operator/replays. With `dryRun` it only counts: 200 instead of 202. */
export function createReplayRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { dryRun, ...request } = validate(StartReplay, jsonBody(req));
    if (dryRun) {
      const counted: ReplayCount = { total: await previewReplay(deps, request) };
      res.json(counted);
      return;
    }
    res.status(202).json(renderReplay(await startReplay(deps, operatorOf(res).login, request)));
  };
}

/** GET /operator/replays */
export function listReplaysRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const query = validateQuery(OfPartnerQuery, req.url);
    res.json({ items: (await readReplays(deps, query.partnerId, query.limit)).map(renderReplay) });
  };
}

/** GET /operator/replays/{replayId} */
export function getReplayRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderReplay(await readReplay(deps, pathId(req, 'replayId'))));
  };
}

/** POST /operator/replays/{replayId}/cancel */
export function cancelReplayRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderReplay(await stopReplay(deps, operatorOf(res).login, pathId(req, 'replayId'))));
  };
}

function renderReplay(replay: ReplayRow): Replay {
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

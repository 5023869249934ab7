import type { RequestHandler } from 'express';
import { GapQuery, type Gap as GapRecord } from '@pay/contract/operator/deliveries.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readGaps, type Gap } from '../../use-cases/read-event-log.ts';

/** GET /operator/gaps?limit=: payments and bindings whose events wait for a version that never came, the longest wait first. */
export function listGapsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { limit } = validateQuery(GapQuery, req.url);
    res.json({ items: (await readGaps(deps, limit)).map(renderGap) });
  };
}

function renderGap({ aggregateId, partnerId, nextVersion, firstWaiting, since }: Gap): GapRecord {
  return { aggregateId, partnerId, nextVersion, firstWaiting, since: since.toISOString() };
}

import type { RequestHandler } from 'express';
import { z } from 'zod';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readGaps } from '../../use-cases/read-event-log.ts';
import { limit } from '../fields.ts';

const Query = z.strictObject({ limit });

/** GET /operator/gaps?limit=: payments and bindings whose events wait for a version that never came, the longest wait first. */
export function listGapsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const gaps = await readGaps(deps, validate(Query, req.query).limit);
    res.json({
      items: gaps.map(({ aggregateId, partnerId, nextVersion, firstWaiting, since }) => ({
        aggregateId,
        partnerId,
        nextVersion,
        firstWaiting,
        since: since.toISOString(),
      })),
    });
  };
}

import type { RequestHandler } from 'express';
import { clock } from '@pay/shared/time/clock.ts';
import { listHeldBack } from '../db/card-attempts.ts';
import type { Deps } from '../deps.ts';

const DAY_MS = 86_400_000;

/** GET /operator/held-back-cards: where velocity rules kept cards from the bank in the last 24 hours, worst first (ADR 0107). */
export function listHeldBackCardsRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const since = new Date((await clock(deps.db)).getTime() - DAY_MS);
    const items = await listHeldBack(deps.db, since);
    res.json({
      since: since.toISOString(),
      items: items.map(({ lastAt, ...item }) => ({ ...item, lastAt: lastAt.toISOString() })),
    });
  };
}

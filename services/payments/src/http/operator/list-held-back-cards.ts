import type { RequestHandler } from 'express';
import type { HeldBackCards } from '@pay/contract/operator/held-back-cards.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { listHeldBack, listVelocityLimits } from '../../db/checkout/card-attempts.ts';
import type { Deps } from '../../deps.ts';
import { VELOCITY_WINDOW_SECONDS } from '../../domain/checkout/velocity.ts';

const DAY_MS = 86_400_000;

/**
 * GET /operator/held-back-cards: the velocity rules, and where they held cards back in the last 24 hours, the worst
 * first (decisions/card-testing).
 */
export function listHeldBackCardsRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const since = new Date((await clock(deps.db)).getTime() - DAY_MS);
    const [items, limits] = await Promise.all([listHeldBack(deps.db, since), listVelocityLimits(deps.db)]);
    const cards: HeldBackCards = {
      since: since.toISOString(),
      rules: limits.map((limit) => ({ ...limit, windowSeconds: VELOCITY_WINDOW_SECONDS })),
      items: items.map(({ lastAt, ...item }) => ({ ...item, lastAt: lastAt.toISOString() })),
    };
    res.json(cards);
  };
}

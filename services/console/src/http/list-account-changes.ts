import type { RequestHandler } from 'express';
import { clock } from '@pay/shared/postgres/clock.ts';
import { listChanges, type AccountChange } from '../db/account-changes.ts';
import type { Deps } from '../deps.ts';

const LISTED_MAX = 100;

/** GET /api/account-changes: the newest hundred proposals for accounts. */
export function listAccountChangesRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const now = await clock(deps.db);
    const items = (await listChanges(deps.db, LISTED_MAX)).map((change) => renderChange(change, now));
    res.set('Cache-Control', 'no-store').json({ items });
  };
}

/**
 * A proposal as administrators see it. It counts as expired once its time has passed, even if its row does not say so
 * yet.
 */
export function renderChange(change: AccountChange, now: Date): Readonly<Record<string, unknown>> {
  const { proposedAt, expiresAt, decidedAt, status, ...rest } = change;
  return {
    ...rest,
    status: status === 'PROPOSED' && expiresAt <= now ? 'EXPIRED' : status,
    proposedAt: proposedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}

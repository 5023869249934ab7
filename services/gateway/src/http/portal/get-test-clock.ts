import type { RequestHandler } from 'express';
import type { Db } from '@pay/shared/postgres/db.ts';
import { readTestClock } from '../../db/test-clock.ts';

/** GET /portal/test-clock: the time of all services, and by how many seconds it is ahead. The route exists in TEST only. */
export function getTestClockRoute(db: Db): RequestHandler {
  return async (_req, res) => {
    const { now, aheadSeconds } = await readTestClock(db);
    res.json({ now: now.toISOString(), aheadSeconds });
  };
}

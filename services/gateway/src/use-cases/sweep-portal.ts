import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { sweepPortal } from '../db/portal-sessions.ts';

const ROUND_MS = 60_000;

/** Removes challenges and sessions of the portal that have expired. What is left over acts for nobody. */
export const sweepPortalLoop = (db: Db): Loop => ({
  name: 'portal-sweep',
  intervalMs: ROUND_MS,
  round: async () => {
    await inTransaction(db, sweepPortal);
    return 'done';
  },
});

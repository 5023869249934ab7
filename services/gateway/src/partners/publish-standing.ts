import type { z } from 'zod';
import type { PartnerStanding } from '@pay/contract/standings.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { askJson } from '@pay/shared/service-client/ask-json.ts';
import type { ServiceClient } from '@pay/shared/service-client/service-client.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { findUntoldPartners, markTold } from '../db/partners.ts';

/** Sent in one round, one after another: partners rarely change. */
const BATCH = 100;
const INTERVAL_MS = 500;
const DEADLINE_MS = 2_000;

type Options = { readonly db: Db; readonly payments: ServiceClient; readonly log: Log };

/**
 * Tells payments which partners are suspended: their open checkout pages then accept no card, and their charges wait.
 * Repeated until payments answers; payments ignores anything older than what it knows. ADR 0101.
 */
export function publishStandingLoop({ db, payments, log }: Options): Loop {
  const tell = async ({ partnerId, status, revision }: Awaited<ReturnType<typeof findUntoldPartners>>[number]) => {
    const call = {
      lane: 'command',
      operation: 'standing',
      method: 'POST',
      path: '/internal/partner-standing',
      partnerId,
      body: { status, revision: String(revision) } satisfies z.input<typeof PartnerStanding>,
      deadlineMs: DEADLINE_MS,
    } as const;
    await askJson(payments, call, (answered) => {
      if (answered !== 200) throw new Error(`payments answered ${String(answered)}`);
    });
    await db.transaction((tx) => markTold(tx, partnerId, revision));
  };
  return {
    name: 'publish-standing',
    intervalMs: INTERVAL_MS,
    round: async () => {
      const untold = await findUntoldPartners(db, BATCH);
      let failed = false;
      for (const partner of untold) {
        try {
          await tell(partner);
        } catch (err) {
          log.warn('could not tell payments about a partner, will retry', { err, partnerId: partner.partnerId });
          failed = true;
        }
      }
      return untold.length === BATCH && !failed ? 'more' : 'done';
    },
  };
}

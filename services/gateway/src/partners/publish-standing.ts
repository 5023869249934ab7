import type { z } from 'zod';
import type { PartnerStanding } from '@pay/contract/standings.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { CircuitOpenError } from '@pay/shared/breaker/breaker.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { askJson } from '@pay/shared/service-client/ask-json.ts';
import { NoAnswerError } from '@pay/shared/service-client/no-answer.ts';
import type { ServiceClient } from '@pay/shared/service-client/service-client.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import type { Pause } from '@pay/shared/time/pause.ts';
import { findUnpublishedPartners, markPublished } from '../db/partners.ts';

/** Sent in one round, one after another: partners rarely change. */
const BATCH = 100;
/** The directory wakes the loop when it sees a change. This is for a wake that is lost. */
const INTERVAL_MS = 5_000;
const RETRY_MS = 500;
const DEADLINE_MS = 2_000;
/** Half a minute: services start side by side, in any order, and a payments that is not there yet is no trouble. */
const ROUNDS_BEFORE_WARNING = 60;

type Options = { readonly db: Db; readonly payments: ServiceClient; readonly log: Log; readonly pause: Pause };

/**
 * Tells payments which partners are suspended: their open checkout pages then accept no card, and their charges wait.
 * Repeated until payments answers; payments ignores anything older than what it knows. See decisions/suspension.
 *
 * While payments accepts no connection, the log says so once, and warns every half minute.
 */
export function publishStandingLoop({ db, payments, log, pause }: Options): Loop {
  /** Rounds in a row in which payments accepted no connection. */
  let unreached = 0;
  /** The last change that this pass has come to: those that payments does not take hide none behind them. */
  let after = 0;
  const tell = async ({ partnerId, status, revision }: Awaited<ReturnType<typeof findUnpublishedPartners>>[number]) => {
    const call = {
      lane: 'command',
      operation: 'standing',
      method: 'POST',
      path: '/internal/partner-standing',
      partnerId,
      body: { status, revision: String(revision) } satisfies z.input<typeof PartnerStanding>,
      deadlineMs: DEADLINE_MS,
    } as const;
    // An answer, whatever it is about this partner, says nothing against asking for the next.
    const answered = await askJson(payments, call, (code) => code);
    if (answered !== 200) throw new Error(`payments answered ${String(answered)}`);
    await db.transaction((tx) => markPublished(tx, partnerId, revision));
  };
  const reportUnreached = (err: unknown, untold: number): void => {
    if (unreached === 0) log.info('payments accepts no connection, partners are told once it does', { untold });
    unreached += 1;
    if (unreached % ROUNDS_BEFORE_WARNING === 0) {
      log.warn('payments has accepted no connection for a while, will retry', { err, untold });
    }
  };
  return {
    name: 'publish-standing',
    intervalMs: INTERVAL_MS,
    pause,
    round: async () => {
      const untold = await findUnpublishedPartners(db, after, BATCH);
      let [failed, isAway] = [false, false];
      for (const [index, partner] of untold.entries()) {
        try {
          await tell(partner);
          unreached = 0;
        } catch (err) {
          failed = true;
          // The other partners would fare the same.
          if (isRefused(err) || (unreached > 0 && err instanceof CircuitOpenError)) {
            reportUnreached(err, untold.length - index);
            isAway = true;
            break;
          }
          log.warn('could not tell payments about a partner, will retry', { err, partnerId: partner.partnerId });
        }
      }
      after = untold.length === BATCH && !isAway ? (untold.at(-1)?.revision ?? 0) : 0;
      if (after > 0) return 'more';
      return failed ? { nextMs: RETRY_MS } : 'done';
    },
  };
}

/** Nobody accepted the connection. */
const isRefused = (err: unknown): boolean => err instanceof NoAnswerError && !err.wasSent && !err.isLate;

import { batcher } from '@pay/shared/batcher/batcher.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { createPause, type Pause } from '@pay/shared/time/pause.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { insertRequests, sweepRequests, UNVERIFIED_MAX, type NewLoggedRequest } from '../db/request-log.ts';

/** What partners may read of their requests. TEST only. See decisions/event-stream. */
export type RequestLog = {
  readonly db: Db;
  /** Takes a request that was answered. Returns at once: it is written soon, or dropped if the database cannot follow. */
  record(request: NewLoggedRequest): void;
  /** Woken when requests of this partner were written by this replica. */
  subscribe(partnerId: PartnerId): { readonly news: Pause; readonly unsubscribe: () => void };
  readonly sweep: Loop;
};

const BATCH_MAX = 200;
const GATHER_MS = 50;
/** Requests that wait to be written: what a replica answers in a second or two. */
const WAITING_MAX = 2_000;
const SWEEP_MS = 60_000;

export function createRequestLog(db: Db, log: Log): RequestLog {
  const all = new Map<Pause, PartnerId>();
  let waiting = 0;
  /** Since the last sweep, of each partner: more would be deleted by the next. */
  const unverified = new Map<PartnerId, number>();
  const isTooMany = ({ partnerId, isVerified }: NewLoggedRequest): boolean => {
    if (isVerified) return false;
    const count = (unverified.get(partnerId) ?? 0) + 1;
    unverified.set(partnerId, count);
    return count > UNVERIFIED_MAX;
  };
  const write = batcher((requests: readonly NewLoggedRequest[]) => insertRequests(db, requests), {
    max: BATCH_MAX,
    waitMs: GATHER_MS,
  });
  return {
    db,
    record(request) {
      if (waiting === WAITING_MAX || isTooMany(request)) return;
      waiting += 1;
      write(request)
        .then(
          () => {
            for (const [news, partnerId] of all) if (partnerId === request.partnerId) news.wake();
          },
          (err: unknown) => {
            log.warn('requests not logged for their partner', { requestId: request.requestId, err });
          },
        )
        .finally(() => {
          waiting -= 1;
        });
    },
    subscribe(partnerId) {
      const news = createPause();
      all.set(news, partnerId);
      return { news, unsubscribe: () => all.delete(news) };
    },
    sweep: {
      name: 'request log sweep',
      intervalMs: SWEEP_MS,
      round: async () => {
        unverified.clear();
        return (await inTransaction(db, sweepRequests)) ? 'more' : 'done';
      },
    },
  };
}

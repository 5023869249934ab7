import { setTimeout as wait } from 'node:timers/promises';
import { batcher } from '@pay/shared/batcher/batcher.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { recordAttempts, type AttemptRecord } from '../db/record-attempts.ts';
import { PARTNER_CONCURRENCY_MAX } from '../db/claim-statement.ts';
import { alertsRaised } from './metrics.ts';

/** Attempts per transaction: as many as its locks should cover. */
const BATCH_MAX = 200;
/** A batch costs the database much the same for one attempt as for many: those that end within this time share one. */
const RECORD_EVERY_MS = 25;
const FAULT_PAUSE_MS = 1_000;
/**
 * How long a record may wait for others if nothing waits for it: at a hundred events a second a batch then holds several
 * instead of one. If the replica is killed meanwhile, these events are sent again.
 */
const LINGER_MS = 100;
/** As many as a partner's concurrent attempts: in a backlog nothing lingers. */
const LINGER_MAX = PARTNER_CONCURRENCY_MAX;

type Options = {
  readonly db: Db;
  readonly log: Log;
  /** Aborts the wait for a database that is down. */
  readonly givenUp: AbortSignal;
  /** The next event of one of the recorded payments is already due. */
  readonly onNextDue: () => void;
};

export type Recorder = {
  /**
   * Resolves when the attempt is recorded, or was abandoned at shutdown. Unless something waits for it, it may be
   * recorded a little later, together with others.
   */
  readonly record: (record: AttemptRecord, isAwaited: boolean) => Promise<void>;
  /** Something waits for the attempts of these aggregates, or for those of all: they are recorded now. */
  readonly hurry: (aggregateIds: readonly string[] | 'all') => void;
};

/**
 * Records attempts in batches, one batch at a time. While the database is down it keeps retrying: what happened must be
 * recorded. If the lease ends first, another replica sends the same event again.
 */
export function createRecorder({ db, log, givenUp, onNextDue }: Options): Recorder {
  async function write(batch: readonly AttemptRecord[]): Promise<void> {
    for (;;) {
      try {
        const { alerts, isNextDue } = await recordAttempts(db, batch);
        for (const alert of alerts) {
          alertsRaised.inc({ kind: alert.kind });
          log.warn('callback alert', alert);
        }
        if (isNextDue) onNextDue();
        return;
      } catch (err) {
        log.warn('attempts not recorded', { err, attempts: batch.length });
        if (givenUp.aborted) return;
        await wait(FAULT_PAUSE_MS, undefined, { signal: givenUp }).catch(() => undefined);
      }
    }
  }
  const recordNow = batcher(write, { max: BATCH_MAX, waitMs: 0, everyMs: RECORD_EVERY_MS });
  const lingering: { readonly aggregateId: string; readonly end: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const endAll = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const { end } of lingering.splice(0)) end();
  };
  return {
    async record(record, isAwaited) {
      await new Promise<void>((end) => {
        lingering.push({ aggregateId: record.event.aggregateId, end });
        if (isAwaited || lingering.length >= LINGER_MAX) endAll();
        else timer ??= setTimeout(endAll, LINGER_MS);
      });
      await recordNow(record);
    },
    hurry(aggregateIds) {
      if (aggregateIds === 'all' || lingering.some(({ aggregateId }) => aggregateIds.includes(aggregateId))) endAll();
    },
  };
}

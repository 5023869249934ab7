import { setTimeout as wait } from 'node:timers/promises';
import { batcher } from '@pay/shared/batcher/batcher.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { recordAttempts, type AttemptRecord } from '../db/record-attempts.ts';
import { alertsRaised } from './metrics.ts';

/** Attempts per transaction: as many as its locks should cover. */
const BATCH_MAX = 200;
/** A batch costs the database much the same for one attempt as for many: those that end within this time share one. */
const RECORD_EVERY_MS = 25;
const FAULT_PAUSE_MS = 1_000;

type Options = {
  readonly db: Db;
  readonly log: Log;
  /** Aborts the wait for a database that is down. */
  readonly givenUp: AbortSignal;
  /** The next event of one of the recorded payments is already due. */
  readonly onNextDue: () => void;
};

/** Resolves when the attempt is recorded, or was abandoned at shutdown. */
export type RecordAttempt = (record: AttemptRecord) => Promise<void>;

/**
 * Records attempts in batches, one batch at a time. While the database is down it keeps retrying: what happened must be
 * recorded. If the lease ends first, another replica sends the same event again.
 */
export function createRecorder({ db, log, givenUp, onNextDue }: Options): RecordAttempt {
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
  return batcher(write, { max: BATCH_MAX, waitMs: 0, everyMs: RECORD_EVERY_MS });
}

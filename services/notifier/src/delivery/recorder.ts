import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@pay/shared/database/database.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { recordAttempts, type AttemptRecord } from '../db/record-attempts.ts';
import { alertsRaised } from './metrics.ts';

/** Rows of one transaction: what ended while the one before was written, and not more than its locks should cover. */
const BATCH_MAX = 200;
const FAULT_PAUSE_MS = 1_000;
/** A batch costs the database much the same for one attempt as for many: those that end within this time share one. */
const RECORD_EVERY_MS = 25;

/**
 * Writes attempts down, many in one transaction: one writer runs at a time, and what ends meanwhile goes with its next
 * batch. A fault of the database is waited out: what happened must be written down, and if the lease ends before that,
 * somebody else repeats the same event.
 */
export class AttemptRecorder {
  readonly #db: Db;
  readonly #log: Log;
  /** Ends the waiting for a database that is away. */
  readonly #givenUp: AbortSignal;
  readonly #onNextDue: () => void;
  #waiting: { record: AttemptRecord; done: () => void }[] = [];
  #isWriting = false;

  constructor(db: Db, log: Log, givenUp: AbortSignal, onNextDue: () => void) {
    this.#db = db;
    this.#log = log;
    this.#givenUp = givenUp;
    this.#onNextDue = onNextDue;
  }

  /** Resolves when the attempt is written down, or was given up at a stop. */
  async record(record: AttemptRecord): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.#waiting.push({ record, done: resolve });
    });
    if (!this.#isWriting) void this.#writeAll();
    return done;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Attempts that end in the same turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const next = wait(RECORD_EVERY_MS, undefined, { signal: this.#givenUp }).catch(() => undefined);
      const batch = this.#waiting.splice(0, BATCH_MAX);
      await this.#write(batch.map(({ record }) => record));
      for (const { done } of batch) done();
      await next;
    }
    // In the same turn as the last look: what ends from now on starts a writer.
    this.#isWriting = false;
  }

  async #write(batch: readonly AttemptRecord[]): Promise<void> {
    for (;;) {
      try {
        const { alerts, isNextDue } = await recordAttempts(this.#db, batch);
        for (const alert of alerts) {
          alertsRaised.inc({ kind: alert.kind });
          this.#log.warn('callback alert', alert);
        }
        if (isNextDue) this.#onNextDue();
        return;
      } catch (err) {
        this.#log.warn('attempts not recorded', { err, attempts: batch.length });
        if (this.#givenUp.aborted) return;
        await wait(FAULT_PAUSE_MS, undefined, { signal: this.#givenUp }).catch(() => undefined);
      }
    }
  }
}

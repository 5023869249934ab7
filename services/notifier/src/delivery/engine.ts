import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@pay/shared/database/database.ts';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { claimDeliveries, releaseLeases, type Claim, type Claimed, type Left } from '../db/claims.ts';
import { decideNext } from '../domain/answer.ts';
import { deliveryAttempts, deliverySeconds } from './metrics.ts';
import { AttemptRecorder } from './recorder.ts';
import { SecretCache } from './secret-cache.ts';
import type { Sender } from './send.ts';

type Options = {
  readonly db: Db;
  readonly log: Log;
  readonly encryptionKeys: EncryptionKeys;
  readonly sender: Sender;
  /** Called when something due was left that another replica may have room for. */
  readonly onLeft: () => void;
};

/** Attempts that one replica has running. */
const IN_FLIGHT_MAX = 256;
/** The safety net under the wakes, and how soon a planned retry is noticed. */
const POLL_MS = 1_000;
/** A claim costs the database the same for one event as for many: those that are due within this time share one. */
const CLAIM_EVERY_MS = 10;
/** How long running attempts may take to end at a stop. */
const STOP_GRACE_MS = 5_000;

/**
 * Delivers: claims from the database what is due, sends it, records how it went. State is in the database only: a
 * replica that is killed loses nothing, and what it had claimed is free again when its lease ends. No connection is held
 * while a receiver is called.
 */
export class DeliveryEngine {
  readonly #options: Options;
  readonly #secrets: SecretCache;
  readonly #recorder: AttemptRecorder;
  readonly #stopping = new AbortController();
  /** Ends running attempts at a stop, after their grace. */
  readonly #cut = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #woken = false;
  /** What the last claim left. */
  #left: Left = { forWantOfRoom: false, partnersAtTheirCap: [] };
  /** Partners with an attempt that ended since the last claim began, which may not have seen it. */
  #endedSince = new Set<string>();
  /** Something happened here. A claim that only answers another replica's announcement is not announced back. */
  #mayAnnounce = false;
  #early: AbortController | undefined;

  /** Starts at once. */
  constructor(options: Options) {
    this.#options = options;
    this.#secrets = new SecretCache(options.encryptionKeys);
    this.#recorder = new AttemptRecorder(options.db, options.log, this.#cut.signal, () => {
      this.wake();
    });
    this.#running = this.#run();
  }

  /** There may be something to deliver. */
  wake(): void {
    this.#mayAnnounce = true;
    this.#claimSoon();
  }

  /** Another replica left something. */
  wakeForOther(): void {
    this.#claimSoon();
  }

  #claimSoon(): void {
    this.#woken = true;
    this.#early?.abort();
  }

  /** Claims nothing more, gives running attempts a moment, records them, and gives the rest back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    const ended = Promise.all(this.#inFlight);
    await Promise.race([ended, wait(STOP_GRACE_MS, undefined, { ref: false })]);
    this.#cut.abort();
    await ended;
    await this.#options.sender.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      const next = wait(CLAIM_EVERY_MS, undefined, { ref: false });
      await this.#claimAndStart().catch((err: unknown) => {
        this.#options.log.warn('claim failed, it is tried again', { err });
      });
      await this.#pauseUntilWoken();
      await next;
    }
  }

  async #pauseUntilWoken(): Promise<void> {
    // A wake that came during the claim.
    if (this.#woken) return;
    this.#early = new AbortController();
    const ended = AbortSignal.any([this.#stopping.signal, this.#early.signal]);
    await wait(POLL_MS, undefined, { signal: ended }).catch(() => undefined);
    this.#early = undefined;
  }

  async #claimAndStart(): Promise<void> {
    const mayAnnounce = this.#mayAnnounce;
    this.#mayAnnounce = false;
    this.#endedSince = new Set();
    const before = this.#left;
    const room = IN_FLIGHT_MAX - this.#inFlight.size;
    this.#left = room > 0 ? await this.#claim(room) : { ...before, forWantOfRoom: true };
    this.#claimForEnded();
    if (mayAnnounce && isNewsForOthers(this.#left, before)) this.#options.onLeft();
  }

  /** Claims again when what ended made room for something that was left. */
  #claimForEnded(): void {
    const { forWantOfRoom, partnersAtTheirCap } = this.#left;
    const madeRoom = forWantOfRoom && this.#endedSince.size > 0;
    if (madeRoom || partnersAtTheirCap.some((partnerId) => this.#endedSince.has(partnerId))) this.wake();
  }

  /** Starts what it claims; what it left. */
  async #claim(room: number): Promise<Left> {
    const leaseId = randomUUID();
    const claim = await claimDeliveries(this.#options.db, leaseId, room);
    const claimedAt = performance.now();
    for (const event of claim.claimed) {
      const attempt = this.#attempt(event, leaseId, claim, claimedAt)
        .catch((err: unknown) => {
          // The lease ends by itself and the event is tried again.
          this.#options.log.error('attempt not made', { err, eventId: event.eventId, partnerId: event.partnerId });
        })
        .finally(() => {
          this.#inFlight.delete(attempt);
          this.#endedSince.add(event.partnerId);
          this.#claimForEnded();
        });
      this.#inFlight.add(attempt);
    }
    return claim.left;
  }

  async #attempt(event: Claimed, leaseId: string, claim: Claim, claimedAt: number): Promise<void> {
    const startedAt = performance.now();
    // The database's time, carried forward by this process's monotonic clock.
    const after = (moment: Date) => new Date(moment.getTime() + Math.round(startedAt - claimedAt));
    const keys = event.keys.map((row) => this.#secrets.keyOf(event.partnerId, row));
    const { callbackUrl: url, eventId, type, body } = event;
    const { answer, excerpt } = await this.#options.sender.send(
      { url, eventId, type, body, keys, now: after(claim.realNow) },
      this.#cut.signal,
    );
    if (this.#cut.signal.aborted && answer.kind === 'unanswered') {
      // Our stop, not the receiver's fault.
      await releaseLeases(this.#options.db, leaseId, [event.aggregateId]);
      return;
    }
    const decision = decideNext(answer, event.attemptCount + 1, randomInt(0, 1_000_000) / 1_000_000);
    const durationMs = Math.round(performance.now() - startedAt);
    deliveryAttempts.inc({ outcome: decision.outcome });
    deliverySeconds.observe(durationMs / 1_000);
    await this.#recorder.record({
      leaseId,
      event,
      keyIds: keys.map((key) => key.keyId).join(','),
      startedAt: after(claim.now),
      durationMs,
      httpStatus: answer.kind === 'answered' ? answer.status : null,
      failure: answer.kind === 'answered' ? null : answer.failure,
      excerpt,
      outcome: decision.outcome,
      status: decision.status,
      waitMs: decision.status === 'WAITING' ? decision.waitMs : null,
    });
  }
}

/** A partner that stays at its cap was told before: whoever runs its attempts claims when one of them ends. */
function isNewsForOthers(left: Left, before: Left): boolean {
  return (
    left.forWantOfRoom || left.partnersAtTheirCap.some((partnerId) => !before.partnersAtTheirCap.includes(partnerId))
  );
}

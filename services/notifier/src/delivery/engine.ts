import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import {
  claimDeliveries,
  releaseLeases,
  storeAndClaim,
  type Among,
  type Claim,
  type Claimed,
  type Left,
} from '../db/claims.ts';
import { insertEvents, type NewEvent } from '../db/events.ts';
import { decideNext } from '../domain/answer.ts';
import { deliveryAttempts, deliverySeconds } from './metrics.ts';
import { createRecorder, type RecordAttempt } from './recorder.ts';
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

type BegunClaim = { readonly leaseId: string; readonly mayAnnounce: boolean };

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
  readonly #record: RecordAttempt;
  readonly #stopping = new AbortController();
  /** Ends running attempts at a stop, after their grace. */
  readonly #cut = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #woken = false;
  /** The claim that runs, or the last one: one at a time, so that what it left is true until an attempt ends. */
  #claiming: Promise<unknown> = Promise.resolve();
  /** What the last claim left. */
  #left: Left = { forWantOfRoom: false, partnersAtTheirCap: [] };
  /** Partners at their cap of which the other replicas were told: whoever runs their attempts claims when one ends. */
  #told: ReadonlySet<string> = new Set();
  /** Partners with an attempt that ended since the last claim began, which may not have seen it. */
  #endedSince = new Set<string>();
  /** Something happened here. A claim that only answers another replica's announcement is not announced back. */
  #mayAnnounce = false;
  #early: AbortController | undefined;

  /** Starts at once. */
  constructor(options: Options) {
    this.#options = options;
    this.#secrets = new SecretCache(options.encryptionKeys);
    this.#record = createRecorder({
      db: options.db,
      log: options.log,
      givenUp: this.#cut.signal,
      onNextDue: () => {
        this.wake();
      },
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

  /**
   * Stores new events and claims what of them may be sent, in one round trip (ADR 0014).
   * @throws Error of the database: nothing is stored.
   */
  async store(events: readonly NewEvent[]): Promise<void> {
    await this.#inTurn(async () => {
      const room = this.#room();
      if (room === 0) {
        await insertEvents(this.#options.db, events);
        this.wake();
        return;
      }
      this.#mayAnnounce = true;
      const begun = this.#beginClaim();
      const among = this.#among(events);
      const request = { leaseId: begun.leaseId, room, among };
      const { stored, claim } = await storeAndClaim(this.#options.db, events, request);
      await claim.then((done) => {
        this.#endClaim(begun, { ...done, left: this.#leftBy(done, among) });
      }, this.#onClaimFailed);
      await stored;
    });
  }

  /** The partners of new events; everybody while room is scarce: then somebody else's turn may have come. */
  #among(events: readonly NewEvent[]): Among {
    return this.#left.forWantOfRoom ? 'everybody' : [...new Set(events.map(({ partnerId }) => partnerId))];
  }

  /** What a claim left, with what it did not look at and was left before. */
  #leftBy({ left }: Claim, among: Among): Left {
    if (among === 'everybody') return left;
    const untouched = this.#left.partnersAtTheirCap.filter((partnerId) => !among.includes(partnerId));
    return { ...left, partnersAtTheirCap: [...untouched, ...left.partnersAtTheirCap] };
  }

  /** Claims nothing more, gives running attempts a moment, records them, and gives the rest back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#claiming;
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
      await this.#inTurn(() => this.#claim()).catch(this.#onClaimFailed);
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

  async #inTurn(claim: () => Promise<void>): Promise<void> {
    const mine = this.#claiming.then(claim);
    this.#claiming = mine.catch(() => undefined);
    return mine;
  }

  /** None at a stop. */
  #room(): number {
    return this.#stopping.signal.aborted ? 0 : IN_FLIGHT_MAX - this.#inFlight.size;
  }

  async #claim(): Promise<void> {
    const room = this.#room();
    const begun = this.#beginClaim();
    if (room === 0) this.#leave(begun, { ...this.#left, forWantOfRoom: true });
    else this.#endClaim(begun, await claimDeliveries(this.#options.db, begun.leaseId, room));
  }

  #beginClaim(): BegunClaim {
    const begun = { leaseId: randomUUID(), mayAnnounce: this.#mayAnnounce };
    this.#mayAnnounce = false;
    this.#endedSince = new Set();
    return begun;
  }

  #endClaim(begun: BegunClaim, claim: Claim): void {
    this.#start(claim, begun.leaseId);
    this.#leave(begun, claim.left);
  }

  readonly #onClaimFailed = (err: unknown): void => {
    this.#options.log.warn('claim failed, it is tried again', { err });
  };

  #leave({ mayAnnounce }: BegunClaim, left: Left): void {
    this.#left = left;
    this.#claimForEnded();
    const { forWantOfRoom, partnersAtTheirCap } = left;
    const isNews = forWantOfRoom || partnersAtTheirCap.some((partnerId) => !this.#told.has(partnerId));
    if (mayAnnounce && isNews) this.#options.onLeft();
    this.#told = new Set(partnersAtTheirCap.filter((partnerId) => mayAnnounce || this.#told.has(partnerId)));
  }

  /** Claims again when what ended made room for something that was left. */
  #claimForEnded(): void {
    const { forWantOfRoom, partnersAtTheirCap } = this.#left;
    const madeRoom = forWantOfRoom && this.#endedSince.size > 0;
    if (madeRoom || partnersAtTheirCap.some((partnerId) => this.#endedSince.has(partnerId))) this.wake();
  }

  #start(claim: Claim, leaseId: string): void {
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
    await this.#record({
      leaseId,
      event,
      keyIds: keys.map((key) => key.keyId).join(','),
      startedAt: after(claim.now),
      durationMs,
      httpStatus: answer.kind === 'answered' ? answer.status : null,
      failure: answer.kind === 'answered' ? null : answer.failure,
      // Of a confirmation there is nothing to find out, and it may be 16 KiB each.
      excerpt: answer.kind === 'answered' && answer.status === 200 ? Buffer.alloc(0) : excerpt,
      outcome: decision.outcome,
      status: decision.status,
      waitMs: decision.status === 'WAITING' ? decision.waitMs : null,
    });
  }
}

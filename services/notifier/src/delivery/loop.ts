import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { claimDeliveries, releaseLeases, storeAndClaim, type Claim, type Claimed } from '../db/claims.ts';
import { insertEvents, type NewEvent } from '../db/events.ts';
import type { AttemptRecord } from '../db/record-attempts.ts';
import { createAttempt, type Attempt, type ClaimedAt } from './attempt.ts';
import { decideStep, INITIAL, isRoomAwaited, type DeliveryEvent, type Step } from './decide-step.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { Sender } from './send.ts';

type Options = {
  readonly db: Db;
  readonly log: Log;
  readonly encryptionKeys: EncryptionKeys;
  readonly sender: Sender;
  /** Announces to the other replicas that something due was left, for which they may have room. */
  readonly announce: () => void;
  /**
   * The number under which leases are this replica's while its session lasts (decisions/callback-delivery); null
   * without a session.
   */
  readonly holder: () => number | null;
};

/** A lease that is asked for, and when: it lasts at least as long from then on. */
type NewLease = { readonly leaseId: string; readonly holder: number | null; readonly askedMs: number };

/** The fallback if a wake is lost, and the longest delay of a scheduled retry. */
const POLL_MS = 1_000;
/** A claim costs the database the same for one event as for many: events due within this time share one. */
const CLAIM_EVERY_MS = 10;
/** How long running attempts may take to end at shutdown. */
const STOP_GRACE_MS = 5_000;

/**
 * Delivers: claims what is due from the database, sends it, and records the result. `decideStep` decides, this loop carries
 * it out. The state that counts is in the database: if a replica is killed, nothing is lost, and its claims are free
 * again when its session is seen to have ended (decisions/callback-delivery). No connection is held while a receiver is
 * called.
 */
export class DeliveryLoop {
  readonly #options: Options;
  readonly #attempt: Attempt;
  readonly #recorder: Recorder;
  /** Aborts running attempts at shutdown, after their grace period. */
  readonly #cut = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #state = INITIAL;
  #endPause: () => void = () => undefined;
  /** Claims run one at a time: this is the current or most recent one. */
  #lastTask: Promise<unknown> = Promise.resolve();

  /** Starts at once. */
  constructor(options: Options) {
    this.#options = options;
    this.#attempt = createAttempt(options.sender, options.encryptionKeys);
    this.#recorder = createRecorder({
      db: options.db,
      log: options.log,
      givenUp: this.#cut.signal,
      onNextDue: () => {
        this.wake();
      },
    });
    this.#running = this.#run();
  }

  /** Says that there may be something to deliver. */
  wake(): void {
    this.#next({ kind: 'woken', by: 'this-replica' });
  }

  /** Another replica announced that it left something. */
  wakeForOther(): void {
    this.#next({ kind: 'woken', by: 'another-replica' });
  }

  /**
   * Stores new events and claims those that may be sent, in one round trip (decisions/callback-delivery).
   * @throws Error of the database: nothing is stored.
   */
  async store(events: readonly NewEvent[]): Promise<void> {
    await this.#serialise(async () => {
      const step = this.#next({ kind: 'new-events', partnerIds: events.map(({ partnerId }) => partnerId) });
      if (step.kind !== 'claim') {
        await insertEvents(this.#options.db, events);
        this.wake();
        return;
      }
      const lease = this.#newLease();
      const { stored, claim } = await storeAndClaim(this.#options.db, events, { ...step, ...lease });
      await this.#endClaim(lease, claim);
      await stored;
      // One of them may follow an event whose attempt is not recorded yet.
      this.#recorder.hurry(events.map(({ aggregateId }) => aggregateId));
    });
  }

  /** Stops claiming, gives running attempts a moment, records them, and gives the rest back. */
  async stop(): Promise<void> {
    this.#next({ kind: 'stopped' });
    this.#recorder.hurry('all');
    this.#endPause();
    await this.#running;
    await this.#lastTask;
    const ended = Promise.all(this.#inFlight);
    await Promise.race([ended, wait(STOP_GRACE_MS, undefined, { ref: false })]);
    this.#cut.abort();
    await ended;
    await this.#options.sender.close();
  }

  async #run(): Promise<void> {
    while (!this.#state.isStopping) {
      const pace = wait(CLAIM_EVERY_MS, undefined, { ref: false });
      await this.#serialise(() => this.#claim());
      await this.#pauseUntilWoken();
      await pace;
    }
  }

  async #pauseUntilWoken(): Promise<void> {
    if (this.#state.isWoken || this.#state.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = () => undefined;
  }

  /** Decides what follows an event, and does what can be done at once. */
  #next(event: DeliveryEvent): Step {
    const { state, step } = decideStep(this.#state, event);
    this.#state = state;
    if (state.isWoken) this.#endPause();
    if (step.kind === 'announce') this.#options.announce();
    return step;
  }

  async #serialise(work: () => Promise<void>): Promise<void> {
    const mine = this.#lastTask.then(work);
    this.#lastTask = mine.catch(() => undefined);
    return mine;
  }

  async #claim(): Promise<void> {
    const step = this.#next({ kind: 'claim-due' });
    if (step.kind !== 'claim') return;
    const lease = this.#newLease();
    await this.#endClaim(lease, claimDeliveries(this.#options.db, lease.leaseId, step.room, lease.holder));
  }

  #newLease(): NewLease {
    return { leaseId: randomUUID(), holder: this.#options.holder(), askedMs: performance.now() };
  }

  async #endClaim({ leaseId, askedMs }: NewLease, claiming: Promise<Claim>): Promise<void> {
    try {
      const { claimed, left, now, realNow } = await claiming;
      const claim = { leaseId, now, realNow, askedMs, monotonicMs: performance.now() };
      for (const event of claimed) this.#start(event, claim);
      this.#next({ kind: 'claimed', count: claimed.length, left });
      if (isRoomAwaited(this.#state)) this.#recorder.hurry('all');
    } catch (err) {
      this.#options.log.warn('claim failed, will retry', { err });
      this.#next({ kind: 'claim-failed' });
    }
  }

  #start(event: Claimed, claim: ClaimedAt): void {
    const attempt = this.#deliver(event, claim)
      .catch((err: unknown) => {
        // The lease expires and the event is tried again.
        this.#options.log.error('attempt not made', { err, eventId: event.eventId, partnerId: event.partnerId });
      })
      .finally(() => {
        this.#inFlight.delete(attempt);
        this.#next({ kind: 'attempt-ended', partnerId: event.partnerId });
      });
    this.#inFlight.add(attempt);
  }

  async #deliver(event: Claimed, claim: ClaimedAt): Promise<void> {
    const dispatch = await this.#attempt(event, claim, this.#cut.signal);
    if (dispatch.kind === 'completed') await this.#recorder.record(dispatch.record, this.#isAwaited(dispatch.record));
    else await inTransaction(this.#options.db, (tx) => releaseLeases(tx, claim.leaseId, [event.aggregateId]));
  }

  /** Whether anybody waits for this record: what was left, the event after it, a retry, the receiver's state, our stop. */
  #isAwaited({ event, decision }: AttemptRecord): boolean {
    return isRoomAwaited(this.#state) || event.isFollowed || decision.outcome !== 'DELIVERED';
  }
}

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@pay/shared/database/database.ts';
import { decrypt, type EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { CallbackKey } from '@pay/shared/signing/callback-signature.ts';
import {
  claimDeliveries,
  recordAttempts,
  releaseLeases,
  type AttemptRecord,
  type Claim,
  type Claimed,
  type SigningKeyRow,
} from '../db/deliveries.ts';
import { decideNext } from '../domain/answer.ts';
import { secretContext } from '../domain/callback-secret.ts';
import { alertsRaised, deliveryAttempts, deliverySeconds } from './metrics.ts';
import type { Sender } from './send.ts';

type Options = {
  readonly db: Db;
  readonly log: Log;
  readonly encryptionKeys: EncryptionKeys;
  readonly sender: Sender;
};

export type Engine = {
  /** There may be something to deliver. */
  wake(): void;
  /** Claims nothing more, gives running attempts a moment, records them, and gives the rest back. */
  stop(): Promise<void>;
};

/** Attempts that one replica has running. */
const IN_FLIGHT_MAX = 256;
/** The safety net under the wakes, and how soon a planned retry is noticed. */
const POLL_MS = 1_000;
/** After a fault of the database. */
const FAULT_PAUSE_MS = 1_000;
/** How long running attempts may take to end at a stop. */
const STOP_GRACE_MS = 5_000;
const RECORD_BATCH_MAX = 200;

/**
 * Delivers: claims from the database what is due, sends it, records how it went. State is in the database only: a
 * replica that is killed loses nothing, and what it had claimed is free again when its lease ends. No connection is held
 * while a receiver is called.
 */
export function startEngine({ db, log, encryptionKeys, sender }: Options): Engine {
  const stopping = new AbortController();
  const cut = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const toRecord: AttemptRecord[] = [];
  const secrets = new SecretCache(encryptionKeys);
  let woken = false;
  let early: AbortController | undefined;
  let recording: Promise<void> | undefined;

  function wake(): void {
    woken = true;
    early?.abort();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = false;
      const claimed = await claimAndSend().catch((err: unknown) => {
        log.warn('claim failed, it is tried again', { err });
        return undefined;
      });
      if (claimed === undefined) await pause(FAULT_PAUSE_MS, stopping.signal);
      else if (!woken) await pauseUntilWoken();
    }
  }

  async function pauseUntilWoken(): Promise<void> {
    early = new AbortController();
    await pause(POLL_MS, AbortSignal.any([stopping.signal, early.signal]));
    early = undefined;
  }

  /** One round; how many attempts it started. */
  async function claimAndSend(): Promise<number> {
    const room = IN_FLIGHT_MAX - inFlight.size;
    if (room <= 0) return 0;
    const leaseId = randomUUID();
    const claim = await claimDeliveries(db, leaseId, room);
    const claimedAt = performance.now();
    for (const event of claim.claimed) {
      const attempt = attemptOne(event, leaseId, claim, claimedAt).finally(() => inFlight.delete(attempt));
      inFlight.add(attempt);
    }
    return claim.claimed.length;
  }

  async function attemptOne(event: Claimed, leaseId: string, claim: Claim, claimedAt: number): Promise<void> {
    const startedAt = performance.now();
    // The database's time, carried forward by this process's monotonic clock.
    const now = new Date(claim.now.getTime() + Math.round(startedAt - claimedAt));
    const keys = secrets.of(claim.keys.filter((key) => key.partnerId === event.partnerId));
    const { callbackUrl: url, eventId, type, body } = event;
    const { answer, excerpt } = await sender.send({ url, eventId, type, body, keys, now }, cut.signal);
    if (cut.signal.aborted && answer.kind === 'unanswered') {
      // Our stop, not the receiver's fault.
      await releaseLeases(db, leaseId, [event.aggregateId]).catch(() => undefined);
      return;
    }
    const decision = decideNext(answer, event.attemptCount + 1, Math.random());
    const durationMs = Math.round(performance.now() - startedAt);
    deliveryAttempts.inc({ outcome: decision.outcome });
    deliverySeconds.observe(durationMs / 1_000);
    toRecord.push({
      leaseId,
      event,
      keyIds: keys.map((key) => key.keyId).join(','),
      startedAt: now,
      durationMs,
      httpStatus: answer.kind === 'answered' ? answer.status : null,
      failure: answer.kind === 'answered' ? null : answer.failure,
      excerpt,
      outcome: decision.outcome,
      status: decision.status,
      waitMs: decision.status === 'WAITING' ? decision.waitMs : null,
    });
    await startRecording();
  }

  /** One recorder runs at a time; what ends while it writes goes with its next batch. */
  function startRecording(): Promise<void> {
    recording ??= recordAll();
    return recording;
  }

  async function recordAll(): Promise<void> {
    // Attempts that end in the same turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (toRecord.length > 0) {
      const batch = toRecord.splice(0, RECORD_BATCH_MAX);
      try {
        await record(batch);
        wake();
      } catch (err) {
        // What happened must be written down; if the lease ends before that, somebody repeats the same event.
        log.warn('attempts not recorded, tried again', { err, attempts: batch.length });
        toRecord.unshift(...batch);
        if (cut.signal.aborted) break;
        await pause(FAULT_PAUSE_MS, cut.signal);
      }
    }
    // In the same turn as the last look: what ends from now on starts a recorder of its own.
    recording = undefined;
  }

  async function record(batch: readonly AttemptRecord[]): Promise<void> {
    for (const alert of await recordAttempts(db, batch)) {
      alertsRaised.inc({ kind: alert.kind });
      log.warn('callback alert', alert);
    }
  }

  const running = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      await running;
      const ended = Promise.allSettled(inFlight);
      await Promise.race([ended, wait(STOP_GRACE_MS, undefined, { ref: false })]);
      cut.abort();
      await ended;
      await sender.close();
    },
  };
}

/** Secrets of this process's memory, by key id, so that one is not decrypted at every attempt. */
class SecretCache {
  static readonly #MAX = 10_000;
  readonly #encryptionKeys: EncryptionKeys;
  readonly #known = new Map<string, CallbackKey>();

  constructor(encryptionKeys: EncryptionKeys) {
    this.#encryptionKeys = encryptionKeys;
  }

  of(rows: readonly SigningKeyRow[]): CallbackKey[] {
    return rows.map(({ partnerId, keyId, encryptedSecret }) => {
      const known = this.#known.get(keyId);
      if (known !== undefined) return known;
      const key = { keyId, secret: decrypt(this.#encryptionKeys, encryptedSecret, secretContext(partnerId, keyId)) };
      if (this.#known.size >= SecretCache.#MAX) this.#known.clear();
      this.#known.set(keyId, key);
      return key;
    });
  }
}

async function pause(ms: number, ended: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: ended }).catch(() => undefined);
}

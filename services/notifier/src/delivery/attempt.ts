import { randomInt } from 'node:crypto';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { Claimed } from '../db/claims.ts';
import type { AttemptRecord } from '../db/record-attempts.ts';
import { decideNext } from '../domain/answer.ts';
import { deliveryAttempts, deliverySeconds } from './metrics.ts';
import { SecretCache } from './secret-cache.ts';
import type { Sender } from './send.ts';

/** The claim that an attempt belongs to. */
export type ClaimedAt = {
  readonly leaseId: string;
  /** The database's time of the claim, for our own records. */
  readonly now: Date;
  /** The database's real time of the claim, for receivers: they compare it with clocks that TEST does not move. */
  readonly realNow: Date;
  /** The same moment by this process's monotonic clock. */
  readonly monotonicMs: number;
};

/** What became of an attempt. */
export type Dispatch =
  /** Our own stop cut it off before an answer came. It does not count: the event is due again at once. */
  | { readonly kind: 'pending' }
  /** It was answered, or failed for a reason of the receiver's. It counts, and has to be recorded. */
  | { readonly kind: 'completed'; readonly record: AttemptRecord };

export type Attempt = (event: Claimed, claim: ClaimedAt, stopped: AbortSignal) => Promise<Dispatch>;

/** Makes one attempt of a claimed event: signs it, sends it, and decides what becomes of the event. */
export function createAttempt(sender: Sender, encryptionKeys: EncryptionKeys): Attempt {
  const secrets = new SecretCache(encryptionKeys);
  return async (event, claim, stopped) => {
    const startedMs = performance.now();
    // The database's time, carried forward by this process's monotonic clock.
    const sinceClaim = (moment: Date) => new Date(moment.getTime() + Math.round(startedMs - claim.monotonicMs));
    const keys = event.keys.map((row) => secrets.keyOf(event.partnerId, row));
    const { callbackUrl: url, eventId, type, body } = event;
    const outgoing = { url, eventId, type, body, keys, now: sinceClaim(claim.realNow) };
    const { answer, excerpt } = await sender.send(outgoing, stopped);
    if (stopped.aborted && answer.kind === 'unanswered') return { kind: 'pending' };
    const decision = decideNext(answer, event.attemptCount + 1, randomInt(0, 1_000_000) / 1_000_000);
    const durationMs = Math.round(performance.now() - startedMs);
    deliveryAttempts.inc({ outcome: decision.outcome });
    deliverySeconds.observe(durationMs / 1_000);
    const record = {
      leaseId: claim.leaseId,
      event,
      keyIds: keys.map((key) => key.keyId).join(','),
      startedAt: sinceClaim(claim.now),
      durationMs,
      answer,
      // A confirmation of up to 16 KiB tells nobody anything.
      excerpt: decision.outcome === 'DELIVERED' ? Buffer.alloc(0) : excerpt,
      decision,
    };
    return { kind: 'completed', record };
  };
}

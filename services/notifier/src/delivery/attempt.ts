import { randomInt } from 'node:crypto';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import { LEASE_SECONDS } from '../db/claim-statement.ts';
import type { Claimed } from '../db/claims.ts';
import type { AttemptRecord } from '../db/record-attempts.ts';
import { inSpan } from '@pay/shared/telemetry/tracing.ts';
import { decideNext, type Answer } from '../domain/answer.ts';
import { callbackLag, deliveryAttempts, deliverySeconds } from './metrics.ts';
import { SecretCache } from './secret-cache.ts';
import { DEADLINE_MS, type Sender } from './send.ts';

/** The claim that an attempt belongs to. */
export type ClaimedAt = {
  readonly leaseId: string;
  /** The database time of the claim, for our own records. */
  readonly now: Date;
  /**
   * The database's real time of the claim, for receivers: they compare it with clocks that the TEST clock does not
   * move.
   */
  readonly realNow: Date;
  /** The same moment on this process's monotonic clock. */
  readonly monotonicMs: number;
  /** When the claim was asked for, on the same clock: the lease lasts `LEASE_SECONDS` from then on, or longer. */
  readonly askedMs: number;
};

/**
 * An attempt that begins later after its claim might outlast its lease: this process stood still, and another replica
 * may be sending the same event, or have sent the next one.
 */
const SEND_WITHIN_MS = LEASE_SECONDS * 1_000 - DEADLINE_MS;

/** How an attempt ended. */
export type Dispatch =
  /**
   * Our own shutdown aborted it before a response came, or it came too late to begin. It does not count: the event is due
   * again at once, unless another replica has it.
   */
  | { readonly kind: 'pending' }
  /** It was answered, or failed for a reason on the receiver's side. It counts, and has to be recorded. */
  | { readonly kind: 'completed'; readonly record: AttemptRecord };

export type Attempt = (event: Claimed, claim: ClaimedAt, stopped: AbortSignal) => Promise<Dispatch>;

/** Makes one attempt of a claimed event: signs it, sends it, and decides what follows. */
export function createAttempt(sender: Sender, encryptionKeys: EncryptionKeys): Attempt {
  const secrets = new SecretCache(encryptionKeys);
  return async (event, claim, stopped) => {
    const startedMs = performance.now();
    if (startedMs - claim.askedMs > SEND_WITHIN_MS) return { kind: 'pending' };
    // The database time, carried forward by this process's monotonic clock.
    const sinceClaim = (moment: Date) => new Date(moment.getTime() + Math.round(startedMs - claim.monotonicMs));
    const keys = event.keys.map((row) => secrets.keyOf(event.partnerId, row));
    const { callbackUrl: url, eventId, type, body } = event;
    const outgoing = { url, eventId, type, body, keys, now: sinceClaim(claim.realNow) };
    const number = event.attemptCount + 1;
    const span = { name: `callback ${type}`, kind: 'client', traceparent: event.traceparent } as const;
    const { answer, excerpt, traceId } = await inSpan(span, async (running) => {
      const sent = await sender.send(outgoing, stopped);
      running.describe(span.name, { 'callback.attempt': number, ...described(sent.answer) });
      return { ...sent, traceId: running.traceId };
    });
    if (stopped.aborted && answer.kind === 'unanswered') return { kind: 'pending' };
    const decision = decideNext(answer, number, randomInt(0, 1_000_000) / 1_000_000);
    const durationMs = Math.round(performance.now() - startedMs);
    // What waits for one of the few places of a slow or dead receiver is late by the receiver's fault.
    if (!event.isHeldBack) callbackLag.observe(Math.max(0, claim.now.getTime() - event.dueAt.getTime()) / 1_000);
    deliveryAttempts.inc({ outcome: decision.outcome });
    deliverySeconds.observe({}, durationMs / 1_000, traceId);
    const record = {
      leaseId: claim.leaseId,
      event,
      keyIds: keys.map((key) => key.keyId).join(','),
      startedAt: sinceClaim(claim.now),
      durationMs,
      answer,
      // The body of a confirmation is of no use to anybody.
      excerpt: decision.outcome === 'DELIVERED' ? Buffer.alloc(0) : excerpt,
      decision,
    };
    return { kind: 'completed', record };
  };
}

/** What a span says of a response: never its body, nor the receiver's address. */
const described = (answer: Answer): Readonly<Record<string, number | string>> =>
  answer.kind === 'answered' ? { 'http.response.status_code': answer.status } : { 'error.type': answer.failure };

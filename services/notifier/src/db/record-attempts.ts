import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db } from '@pay/shared/postgres/db.ts';
import { compiledRaw } from '@pay/shared/postgres/fast/compiled.ts';
import { inOneRoundTrip } from '@pay/shared/postgres/fast/one-round-trip.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Answer, Decision } from '../domain/answer.ts';
import type { Claimed } from './claims.ts';
import { PLAN_BY_INDEXES } from './plan-by-indexes.ts';
import { lockAggregates, releaseAggregates, updateReceivers, writeAttempts, type Behaviour } from './record-statements.ts';

/** An attempt that was made, and the decision that followed. */
export type AttemptRecord = {
  readonly leaseId: string;
  readonly event: Claimed;
  readonly keyIds: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly answer: Answer;
  /** What is kept of the response. */
  readonly excerpt: Buffer;
  readonly decision: Decision;
};

/** A receiver that takes longer than this is treated as slow for the next minute. */
const SLOW_ANSWER_MS = 3_000;

/** A situation that a person should look at, as it was raised. */
export type RaisedAlert = { readonly partnerId: PartnerId; readonly kind: string };

/** The consequences of the recorded attempts. */
export type Recorded = {
  readonly alerts: readonly RaisedAlert[];
  /** The next event of one of the aggregates is already due. */
  readonly isNextDue: boolean;
};

/**
 * Records a batch of attempts: the attempt rows, the outcome of each event, the next event of each aggregate, and the
 * behaviour of each receiver. An attempt whose lease was taken over meanwhile is stored but decides nothing.
 */
export async function recordAttempts(db: Db, records: readonly AttemptRecord[]): Promise<Recorded> {
  const rows = JSON.stringify(records.map(toJson));
  const [, , , released = [], raised = []] = await inOneRoundTrip<{ is_due: boolean } | RaisedRow>(db, [
    planByIndexes({}),
    lockAggregates({ rows }),
    writeAttempts({ rows }),
    releaseAggregates({ rows }),
    updateReceivers({ behaviour: JSON.stringify(behaviourOf(records)) }),
  ]);
  return {
    alerts: raised.flatMap((row) => ('kind' in row ? { partnerId: row.partner_id, kind: row.kind } : [])),
    isNextDue: released.some((row) => 'is_due' in row && row.is_due),
  };
}

const planByIndexes = compiledRaw([], () => sql`select ${PLAN_BY_INDEXES}`);

type RaisedRow = { partner_id: string; kind: string };

function toJson({ event, answer, decision, ...record }: AttemptRecord): Readonly<Record<string, unknown>> {
  const stored = storedOf({ event, ...record });
  return {
    lease_id: record.leaseId,
    event_id: event.eventId,
    aggregate_id: event.aggregateId,
    version: event.aggregateVersion,
    partner_id: event.partnerId,
    number: event.attemptCount + 1,
    url: event.callbackUrl,
    key_ids: record.keyIds,
    started_at: record.startedAt.toISOString(),
    duration_ms: record.durationMs,
    http_status: answer.kind === 'answered' ? answer.status : null,
    failure: answer.kind === 'answered' ? null : answer.failure,
    outcome: decision.outcome,
    status: decision.status,
    excerpt: stored?.toString('base64') ?? null,
    last_answer: record.excerpt.length === 0 ? null : sha256(record.excerpt).toString('base64'),
    wait_ms: decision.status === 'WAITING' ? decision.waitMs : null,
    resent_by: event.resentBy,
  };
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** What is stored of a response: nothing if nothing is kept, and no bytes if it says what the one before said. */
function storedOf({ event: { lastAnswer }, excerpt }: Pick<AttemptRecord, 'event' | 'excerpt'>): Buffer | undefined {
  if (excerpt.length === 0) return undefined;
  return lastAnswer?.equals(sha256(excerpt)) === true ? Buffer.alloc(0) : excerpt;
}

/** One row per partner: how its receiver behaved in these attempts, in order. */
function behaviourOf(records: readonly AttemptRecord[]): readonly Behaviour[] {
  const byPartner = new Map<string, AttemptRecord[]>();
  for (const record of records) {
    const own = byPartner.get(record.event.partnerId);
    if (own === undefined) byPartner.set(record.event.partnerId, [record]);
    else own.push(record);
  }
  return [...byPartner].map(([partnerId, own]) => {
    // A clear yes or no shows a living receiver; anything else is one more failure in a row.
    const lastSign = own.findLastIndex(({ decision: { outcome } }) => outcome === 'DELIVERED' || outcome === 'REFUSED');
    const refused = own.find(({ decision }) => decision.outcome === 'REFUSED');
    return {
      partner_id: partnerId,
      living: lastSign !== -1,
      failures: own.length - 1 - lastSign,
      slow: own.some((record) => record.durationMs > SLOW_ANSWER_MS),
      refused_event: refused?.event.eventId ?? null,
      exhausted_event: own.find(({ decision }) => decision.status === 'EXHAUSTED')?.event.eventId ?? null,
      delivered: own.some(({ decision }) => decision.outcome === 'DELIVERED'),
      answer_bytes: own.reduce((bytes, record) => bytes + (storedOf(record)?.length ?? 0), 0),
    };
  });
}

import { sql } from 'drizzle-orm';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inOneRoundTrip, inOneWrite } from '@pay/shared/postgres/fast/one-round-trip.ts';
import { claimTransaction, type ClaimedRow, type ClaimRequest, type ClaimRow, type SigningKeyRow } from './claim-statement.ts';
import { insertStatement, type NewEvent } from './events.ts';

/** An event that this replica may send now, once. */
export type Claimed = {
  readonly eventId: string;
  readonly partnerId: PartnerId;
  readonly type: string;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  /** A later version of the same aggregate is known, and waits for this one. */
  readonly isFollowed: boolean;
  /** Earlier attempts since the event was created or last resent on request. */
  readonly attemptCount: number;
  readonly body: Buffer;
  readonly resentBy: string | null;
  /** SHA-256 of what the last attempt's response said; null if nothing was kept of it. */
  readonly lastAnswer: Buffer | null;
  /** The trace that caused the event. */
  readonly traceparent: string | null;
  /** When it could have been sent first, by the database's clock. */
  readonly dueAt: Date;
  /** Its receiver was slow, failing or dead at the claim, and is allowed fewer concurrent attempts than others. */
  readonly isHeldBack: boolean;
  readonly callbackUrl: string;
  /** The keys that sign at the time of the claim, newest first. */
  readonly keys: readonly SigningKeyRow[];
};

/** What a claim found due and did not take. */
export type Left = {
  /** It would have taken more if there had been room: any attempt that ends makes room. */
  readonly forWantOfRoom: boolean;
  /** Partners at their limit of concurrent attempts: one of their own has to end. */
  readonly partnersAtTheirCap: readonly string[];
};

export type Claim = {
  readonly claimed: readonly Claimed[];
  readonly left: Left;
  /** The database time of the claim, for our own records. */
  readonly now: Date;
  /** The real time, for receivers: they compare it with their own clocks, which do not follow the TEST clock. */
  readonly realNow: Date;
};

/**
 * Leases up to `room` due events, fairly: one of every partner, then a second one of every partner, and so on. A
 * partner without an address or a valid secret is skipped; its events stay due. The cost does not depend on how many
 * events a partner has waiting: each partner costs one index lookup.
 */
export async function claimDeliveries(db: Db, leaseId: string, room: number, holder: number | null = null): Promise<Claim> {
  return toClaim(await inOneRoundTrip<ClaimRow>(db, claimTransaction({ leaseId, holder, room, among: 'everybody' })));
}

/**
 * Stores events and claims as `claimDeliveries` does, in one round trip but two transactions, so that other replicas'
 * claims do not wait for the events to reach the disk. Resolves when both have ended; each promise holds its result.
 * The claim may succeed even if storing failed: it may take events that were already waiting.
 */
export async function storeAndClaim(
  db: Db,
  events: readonly NewEvent[],
  request: ClaimRequest,
): Promise<{ readonly stored: Promise<unknown>; readonly claim: Promise<Claim> }> {
  const { ahead, behind } = await inOneWrite<ClaimRow>(db, insertStatement(events), claimTransaction(request));
  return { stored: ahead, claim: behind.then(toClaim) };
}

/** Gives back what was claimed and not sent: any replica may claim it at once, and no attempt is counted. */
export async function releaseLeases(tx: Tx, leaseId: string, aggregateIds: readonly string[]): Promise<void> {
  await tx.execute(sql`update aggregates set lease_id = null, lease_holder = null, leased_until = null, due_at = clock_now()
    where lease_id = ${leaseId}::uuid
      and aggregate_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(aggregateIds)}::jsonb))`);
}

function toClaim([, rows = []]: readonly (readonly ClaimRow[])[]): Claim {
  const [first] = rows;
  return {
    claimed: rows.filter(isClaimed).map((row) => ({
      eventId: row.event_id,
      partnerId: row.partner_id,
      type: row.type,
      aggregateId: row.aggregate_id,
      aggregateVersion: row.aggregate_version,
      isFollowed: row.is_followed,
      attemptCount: row.attempt_count,
      body: row.body,
      resentBy: row.resent_by,
      lastAnswer: row.last_answer,
      traceparent: row.traceparent,
      dueAt: new Date(Number(row.due_milliseconds)),
      isHeldBack: row.is_held_back,
      callbackUrl: row.callback_url,
      keys: row.keys,
    })),
    left: { forWantOfRoom: first?.wants_room ?? false, partnersAtTheirCap: first?.at_cap ?? [] },
    now: new Date(Number(first?.milliseconds ?? 0)),
    realNow: new Date(Number(first?.real_milliseconds ?? 0)),
  };
}

const isClaimed = (row: ClaimRow): row is ClaimedRow => row.event_id !== null;

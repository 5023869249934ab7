import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  customType,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { EventType } from '@pay/contract/events.ts';
import type { AlertKind, ReplayState } from '@pay/contract/operator/states.ts';
import type { AttemptFailure, AttemptOutcome, EventStatus } from '@pay/contract/states.ts';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';

export { deadLetters, idempotencyRecords, inbox, movedPartners, seals, usedIdentities } from '@pay/shared/postgres/schema.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * One row per partner: where its callbacks go (a copy of what payments owns), how that address behaves, and whether an
 * operator opened a rotation of its secret. A row without an address waits for one.
 */
export const receivers = pgTable('receivers', {
  partnerId: text('partner_id').$type<PartnerId>().primaryKey(),
  callbackUrl: text('callback_url'),
  /** Revision from `integration.endpoints_updated`: only a higher one is applied. */
  endpointsRevision: integer('endpoints_revision').notNull().default(0),
  /** The events that the partner switched on besides the eight standard ones. */
  extraEvents: text('extra_events')
    .array()
    .notNull()
    .default(sql`'{}'`),
  /**
   * Since when there has been an address and a first secret: earlier events are sent only on request
   * (decisions/partner-events).
   */
  configuredAt: moment('configured_at'),
  /** Unconfirmed attempts since the last response that showed a living receiver. */
  failuresInARow: integer('failures_in_a_row').notNull().default(0),
  failingSince: moment('failing_since'),
  /** If set, one probe at a time until one is answered. See spec/decisions#dead-address. */
  deadSince: moment('dead_since'),
  /** Until then few attempts run concurrently: the receiver was slow recently. */
  slowUntil: moment('slow_until'),
  /** Until then no attempt starts: the receiver keeps failing, and an attempt failed a moment ago. */
  pausedUntil: moment('paused_until'),
  /** Set by the first permanent refusal after a success: the alert for it was raised. */
  refusingSince: moment('refusing_since'),
  /** When the last test callback was requested. */
  testedAt: moment('tested_at'),
  /** The minute of the partner's last replay request, and how many replays it had in that minute. */
  replayMinute: moment('replay_minute'),
  replaysInMinute: integer('replays_in_minute').notNull().default(0),
  /** The day of the last stored response, and the bytes of responses that were stored on that day. */
  answersDay: moment('answers_day'),
  answerBytes: integer('answer_bytes').notNull().default(0),
  rotationOpenedAt: moment('rotation_opened_at'),
  rotationOverlapSeconds: integer('rotation_overlap_seconds'),
});

/** Callback secrets, encrypted under a key outside the database. At most one per partner has no expiry. */
export const callbackKeys = pgTable(
  'callback_keys',
  {
    keyId: text('key_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    encryptedSecret: text('encrypted_secret').notNull(),
    issuedAt: moment('issued_at').notNull(),
    /** Until then the same Idempotency-Key gets the same response. */
    replayUntil: moment('replay_until').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    bodySha256: text('body_sha256').notNull(),
    /** Null: signs until a rotation ends it. */
    expiresAt: moment('expires_at'),
  },
  (table) => [
    index('callback_keys_partner').on(table.partnerId, table.issuedAt),
    uniqueIndex('callback_keys_current')
      .on(table.partnerId)
      .where(sql`expires_at is null`),
  ],
);

/**
 * One row per payment or binding, which serialises its events. The lease is on this row, so that two attempts of one
 * payment never run at once, whoever requested them.
 */
export const aggregates = pgTable(
  'aggregates',
  {
    aggregateId: uuid('aggregate_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    /** First word of its event types. Refunds belong to the payment. */
    kind: text('kind').notNull(),
    /** The lowest version that is not final yet: nothing above it is sent. */
    nextVersion: integer('next_version').notNull().default(1),
    /**
     * The highest version that arrived. If `nextVersion` is not above it and nothing is due, a version in between never
     * arrived.
     */
    lastVersion: integer('last_version').notNull().default(0),
    /** When there is something to do; null if there is nothing. While leased: when the lease ends. */
    dueAt: moment('due_at'),
    leaseId: uuid('lease_id'),
    /**
     * The replica whose session keeps the lease; null if only time ends it. Cleared with the lease: a replica of a release
     * that does not write it must not claim under another's number.
     */
    leaseHolder: integer('lease_holder'),
    /**
     * The lease's end in real time: an event in flight is not sent twice because the TEST clock was moved
     * (decisions/clock).
     */
    leasedUntil: moment('leased_until'),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
    /** If set, what is stored about this binding's buyer is deleted as soon as the partner has received it. */
    buyerErasedAt: moment('buyer_erased_at'),
  },
  (table) => [
    index('aggregates_due')
      .on(table.partnerId, table.dueAt)
      .where(sql`due_at is not null`),
    // For counting a partner's leases. It names no column that another index has: by due_at the planner would read
    // everything
    // that waits. No other query asks for rows with leased_until.
    index('aggregates_leased')
      .on(table.partnerId, table.leasedUntil)
      .where(sql`leased_until is not null`),
    index('aggregates_created_at').using('brin', table.createdAt),
    index('aggregates_buyer_erased')
      .on(table.buyerErasedAt)
      .where(sql`buyer_erased_at is not null`),
    // Only what waits behind a gap: a payment that is delivered in order never has an entry.
    index('aggregates_behind_gap')
      .on(table.createdAt)
      .where(sql`due_at is null and next_version <= last_version`),
  ],
);

/** Numbers events as they are stored. A transaction that took a lower number may commit later (`event-stream.ts`). */
export const eventPositions = pgSequence('event_positions');

/** Callbacks: the exact bytes, rendered once. Kept for 30 days after the event ended. */
export const events = pgTable(
  'events',
  {
    /** The id of the message that caused it. */
    eventId: uuid('event_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    type: text('type').$type<EventType>().notNull(),
    aggregateId: uuid('aggregate_id').notNull(),
    aggregateVersion: integer('aggregate_version').notNull(),
    body: bytes('body').notNull(),
    recordedAt: moment('recorded_at')
      .notNull()
      .default(sql`clock_now()`),
    status: text('status').$type<EventStatus>().notNull(),
    /** Attempts in the current round of the schedule; a resend by an operator begins a new round. */
    attemptCount: integer('attempt_count').notNull().default(0),
    /** Null once it has ended. */
    nextAttemptAt: moment('next_attempt_at'),
    endedAt: moment('ended_at'),
    /** The operator who requested the current round, if one did. */
    resentBy: text('resent_by').$type<OperatorLogin>(),
    /**
     * The lease of its aggregate that was running when a resend was last requested. If the attempt made under that lease
     * is this event's own, its recording makes the event due again: it had left before the request.
     */
    resendLease: uuid('resend_lease'),
    /** SHA-256 of what the last attempt's response said, so that a repetition of it is not stored again. */
    lastAnswer: bytes('last_answer'),
    /** Id of the request that caused it, from the edge through all services. */
    requestId: text('request_id'),
    /** W3C: every attempt, however late, belongs to the trace that caused it; null if it was not recorded. */
    traceparent: text('traceparent'),
    /** Its place in the partner's stream; null for events of before there was one. */
    position: bigint('position', { mode: 'bigint' }).default(sql`nextval('event_positions')`),
  },
  (table) => [
    uniqueIndex('events_version').on(table.aggregateId, table.aggregateVersion),
    index('events_partner').on(table.partnerId, table.recordedAt),
    index('events_recorded_at').on(table.recordedAt),
    index('events_partner_position')
      .on(table.partnerId, table.position)
      .where(sql`position is not null`),
  ],
);

/**
 * Every attempt that was made, with its result. Kept for 30 days, then dropped a day at a time: the table is partitioned by
 * `started_at`, which drizzle cannot express (`migrations/0022_keep_attempts_by_day.sql`, decisions/partitions). Its
 * ids are unique because they come from one sequence.
 */
export const attempts = pgTable(
  'attempts',
  {
    id: bigserial('id', { mode: 'bigint' }).notNull(),
    eventId: uuid('event_id').notNull(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    /** Counted from 1 within its round. */
    number: integer('number').notNull(),
    url: text('url').notNull(),
    keyIds: text('key_ids').notNull(),
    startedAt: moment('started_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** The response's HTTP status; null if there was no response. */
    status: smallint('status'),
    /** Why there was no response, for example TIMEOUT or ADDRESS_NOT_PUBLIC. */
    failure: text('failure').$type<AttemptFailure>(),
    outcome: text('outcome').$type<AttemptOutcome>().notNull(),
    /**
     * The first KiB of the response's body, raw: escape it before showing it. Empty if it repeats that of the attempt before;
     * null if there was none, it was that of a 200, or the partner's day was used up.
     */
    excerpt: bytes('excerpt'),
    nextAttemptAt: moment('next_attempt_at'),
    resentBy: text('resent_by').$type<OperatorLogin>(),
  },
  (table) => [index('attempts_event').on(table.eventId, table.id)],
);

/** Situations that a person should look at. Raised once per situation, not once per event. */
export const alerts = pgTable(
  'alerts',
  {
    id: bigserial('id', { mode: 'bigint' }).primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    kind: text('kind').$type<AlertKind>().notNull(),
    eventId: uuid('event_id'),
    raisedAt: moment('raised_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [index('alerts_raised_at').on(table.raisedAt)],
);

/** What operators did. Append-only. */
export const operatorActions = pgTable('operator_actions', {
  id: bigserial('id', { mode: 'bigint' }).primaryKey(),
  operator: text('operator').$type<OperatorLogin>().notNull(),
  action: text('action').notNull(),
  partnerId: text('partner_id').$type<PartnerId>().notNull(),
  details: jsonb('details').notNull(),
  at: moment('at')
    .notNull()
    .default(sql`clock_now()`),
});

/** A range of events that an operator resends. It continues where it stopped, whichever replica was killed. */
export const replays = pgTable(
  'replays',
  {
    replayId: uuid('replay_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    requestedBy: text('requested_by').$type<OperatorLogin>().notNull(),
    from: moment('from').notNull(),
    to: moment('to').notNull(),
    /** Empty: all types. */
    types: text('types').array().$type<EventType[]>().notNull(),
    /** Empty: all final statuses. */
    statuses: text('statuses').array().$type<EventStatus[]>().notNull(),
    /** Number of events found when it began. */
    total: bigint('total', { mode: 'number' }).notNull(),
    resent: bigint('resent', { mode: 'number' }).notNull().default(0),
    /** The last event that was handed over, in the order of the log. */
    cursorRecordedAt: moment('cursor_recorded_at'),
    cursorEventId: uuid('cursor_event_id'),
    state: text('state').$type<ReplayState>().notNull(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [
    uniqueIndex('replays_running')
      .on(table.partnerId)
      .where(sql`state = 'RUNNING'`),
  ],
);

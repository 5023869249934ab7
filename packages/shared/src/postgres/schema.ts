import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  char,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { PartnerId } from '../identities/identities.ts';

/** A moment, to the millisecond, always converted as UTC. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
/** An amount in minor units. */
export const minorUnits = (name: string) => bigint(name, { mode: 'bigint' });
/** A check that a column contains one of a list: the SQL form of the list in code. */
export const isOneOf = (column: string, values: readonly string[]) =>
  sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`);

/**
 * Facts for other services, written in the transaction that made them true. Rows are published in `position` order and
 * then deleted: the table holds what is waiting.
 */
export const outbox = pgTable('outbox', {
  position: bigserial('position', { mode: 'bigint' }).primaryKey(),
  messageId: uuid('message_id').notNull(),
  type: text('type').notNull(),
  aggregateId: text('aggregate_id').notNull(),
  payload: jsonb('payload').notNull(),
  requestId: text('request_id'),
  traceparent: text('traceparent'),
  occurredAt: moment('occurred_at').notNull(),
});

/**
 * Which replica publishes this service's outbox: one row, created by the migration. `fence` counts the leaders; every
 * deletion from the outbox checks it, so that a former leader deletes nothing.
 */
export const relayLease = pgTable(
  'relay_lease',
  {
    one: boolean('one').primaryKey().default(true),
    fence: bigint('fence', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    holder: uuid('holder'),
    /** By PostgreSQL's own clock, which no test moves. */
    until: timestamp('until', { withTimezone: true, mode: 'date' })
      .notNull()
      .default(sql`'-infinity'`),
  },
  (table) => [check('relay_lease_one', sql`${table.one}`)],
);

/** Messages whose effect is committed. Kept 30 days, swept. */
export const inbox = pgTable(
  'inbox',
  {
    messageId: uuid('message_id').primaryKey(),
    receivedAt: moment('received_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [index('inbox_received_at').on(table.receivedAt)],
);

/** One row per committed command: (partner, operation, key) and what a repeat needs. Kept 30 days, swept. */
export const idempotencyRecords = pgTable(
  'idempotency_records',
  {
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    key: text('key').notNull(),
    /** For example `POST /api/card`: the same key on another operation is refused. */
    operation: text('operation').notNull(),
    bodySha256: char('body_sha256', { length: 64 }).notNull(),
    /** Id of the object that the command created or changed; a repeat renders its current state. */
    objectId: text('object_id').notNull(),
    status: smallint('status').notNull(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [primaryKey({ columns: [table.partnerId, table.key] }), index('idempotency_records_created_at').on(table.createdAt)],
);

/** Operators' identities that were accepted for a change, until they would be refused as old (`operators/use-identity.ts`). */
export const usedIdentities = pgTable('used_identities', {
  identityId: uuid('identity_id').primaryKey(),
  /** By PostgreSQL's own clock, which no test moves. */
  endsAt: timestamp('ends_at', { withTimezone: true, mode: 'date' }).notNull(),
});

/**
 * Partners that were moved to another cell, or are being moved. Their rows stay here and change no more: triggers refuse what
 * would move money or answer partners (`refuse_moved_partner()`). Written by `tools/cells` as the owner. See
 * decisions/cells.
 */
export const movedPartners = pgTable('moved_partners', {
  partnerId: text('partner_id').$type<PartnerId>().primaryKey(),
  /** Where they live now. */
  cell: text('cell').notNull(),
  /** The origin of its checkout: buyers find their saved cards there. */
  checkoutUrl: text('checkout_url').notNull(),
  movedAt: moment('moved_at')
    .notNull()
    .default(sql`clock_now()`),
});

/** Retention of swept tables. See spec/decisions#scope-and-memory-of-a-key. */
export const RETENTION_DAYS = 30;

/** A `bytea`. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Messages that this service could not handle in twenty deliveries, exactly as the broker had them, until somebody
 * redrives them. See decisions/lost-messages.
 */
export const deadLetters = pgTable(
  'dead_letters',
  {
    deadLetterId: uuid('dead_letter_id')
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    /** As written by the sender; empty if it wrote none. */
    messageId: text('message_id').notNull(),
    type: text('type').notNull(),
    aggregateId: text('aggregate_id').notNull(),
    occurredAt: text('occurred_at').notNull(),
    body: bytes('body').notNull(),
    requestId: text('request_id'),
    signature: text('signature'),
    /** It was not signed by the owner of its type: `lastError` says what was wrong. See decisions/broker-trust. */
    refused: boolean('refused').notNull().default(false),
    diedAt: moment('died_at')
      .notNull()
      .default(sql`clock_now()`),
    status: text('status').$type<'WAITING' | 'REDRIVEN'>().notNull().default('WAITING'),
    /** How often it was redriven. */
    attemptCount: integer('attempt_count').notNull().default(0),
    /** The error of the last try. */
    lastError: text('last_error'),
    redrivenBy: text('redriven_by'),
    redrivenAt: moment('redriven_at'),
  },
  (table) => [
    uniqueIndex('dead_letters_message')
      .on(table.messageId)
      .where(sql`message_id <> '' and not refused`),
    index('dead_letters_newest').on(table.diedAt, table.deadLetterId),
    check('dead_letters_status', sql`status in ('WAITING', 'REDRIVEN')`),
  ],
);

/** Batches of a sealed table's rows, each chained to the previous one (`seals/`). See decisions/audit-logs. */
export const seals = pgTable(
  'seals',
  {
    trail: text('trail').notNull(),
    /** 1, 2, 3 … per table. */
    number: bigint('number', { mode: 'bigint' }).notNull(),
    columns: jsonb('columns').$type<readonly string[]>().notNull(),
    positions: bigint('positions', { mode: 'bigint' }).array().notNull(),
    /** 32 bytes for each position. */
    digests: bytes('digests').notNull(),
    previousHash: bytes('previous_hash').notNull(),
    hash: bytes('hash').notNull(),
    sealedAt: moment('sealed_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [primaryKey({ columns: [table.trail, table.number] })],
);

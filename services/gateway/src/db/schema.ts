import { KEY_STATUSES, PARTNER_STATUSES } from '@pay/contract/operator/states.ts';
import { moment } from '@pay/shared/postgres/schema.ts';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { FieldError } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';

export { movedPartners, seals, usedIdentities } from '@pay/shared/postgres/schema.ts';

// The nonces table is partitioned, which drizzle cannot express: see migrations/0002_nonces.sql, and db/nonces.ts for
// the statements.

const now = sql`clock_now()`;

/**
 * Numbers the changes of partners and keys. Taken under one lock, so a reader who has seen number n has seen every
 * change before it.
 */
export const partnerRevision = pgSequence('partner_revision');

/** Who may call, and how fast. */
export const partners = pgTable(
  'partners',
  {
    partnerId: text('partner_id').$type<PartnerId>().primaryKey(),
    name: text('name').notNull(),
    status: text('status', { enum: PARTNER_STATUSES }).notNull(),
    /** Token bucket: refill in requests per second, and capacity. See spec/decisions#rate-limit. */
    ratePerSecond: integer('rate_per_second').notNull().default(200),
    burst: integer('burst').notNull().default(400),
    /** Revision of the last change to this partner or one of its keys. */
    revision: bigint('revision', { mode: 'number' }).notNull(),
    /** The last revision that payments has been told about. See decisions/suspension. */
    toldRevision: bigint('told_revision', { mode: 'number' }).notNull().default(0),
    createdAt: moment('created_at').notNull().default(now),
    updatedAt: moment('updated_at').notNull().default(now),
  },
  (table) => [
    index('partners_revision').on(table.revision),
    index('partners_untold')
      .on(table.revision)
      .where(sql`revision > told_revision`),
    check('partners_status', sql`status in ('ACTIVE', 'SUSPENDED')`),
    check('partners_rate', sql`rate_per_second > 0 and burst > 0`),
  ],
);

/**
 * Keys that partners sign with. A key belongs to one partner for good: the signed text does not name the partner, so
 * with a shared key one partner's request would pass as the other's.
 */
export const partnerKeys = pgTable(
  'partner_keys',
  {
    keyId: uuid('key_id').primaryKey(),
    partnerId: text('partner_id')
      .$type<PartnerId>()
      .notNull()
      .references(() => partners.partnerId),
    /** `ssh-ed25519 <base64>`, the exact text that `key` in the Authorization header must equal. */
    publicKey: text('public_key').notNull().unique(),
    comment: text('comment'),
    fingerprint: text('fingerprint').notNull(),
    status: text('status', { enum: KEY_STATUSES }).notNull(),
    registeredBy: text('registered_by').$type<OperatorLogin>().notNull(),
    registeredAt: moment('registered_at').notNull().default(now),
    activatedBy: text('activated_by').$type<OperatorLogin>(),
    activatedAt: moment('activated_at'),
    revokedBy: text('revoked_by').$type<OperatorLogin>(),
    revokedAt: moment('revoked_at'),
  },
  (table) => [
    index('partner_keys_partner').on(table.partnerId),
    check('partner_keys_status', sql`status in ('REGISTERED', 'ACTIVE', 'REVOKED')`),
    check('partner_keys_two_persons', sql`activated_by <> registered_by`),
    check('partner_keys_activated', sql`status <> 'ACTIVE' or activated_by is not null`),
  ],
);

/** What operators did. Append-only: a trigger refuses everything but INSERT. */
export const operatorAudit = pgTable(
  'operator_audit',
  {
    position: bigserial('position', { mode: 'number' }).primaryKey(),
    at: moment('at').notNull().default(now),
    operator: text('operator').$type<OperatorLogin>().notNull(),
    action: text('action').notNull(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    keyId: uuid('key_id'),
    /** A description of the change, for example the fingerprint or the new limit. */
    detail: text('detail'),
    requestId: text('request_id'),
  },
  (table) => [index('operator_audit_partner').on(table.partnerId, table.position)],
);

/** One token bucket per partner, shared by all replicas, which lease tokens from it. */
export const rateBuckets = pgTable('rate_buckets', {
  partnerId: text('partner_id').$type<PartnerId>().primaryKey(),
  tokens: doublePrecision('tokens').notNull(),
  refilledAt: moment('refilled_at').notNull(),
});

/**
 * Texts that the partner portal asks somebody to sign. A row is deleted by the first attempt to sign in with it. Unknown
 * partners get one, too: nobody learns who is a partner. See decisions/portal-sessions.
 */
export const portalChallenges = pgTable(
  'portal_challenges',
  {
    challengeId: uuid('challenge_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    /** The exact text, which names the portal's origin and the partner. */
    text: text('text').notNull(),
    /** On the real clock, as everything here: moving the TEST clock ends nobody's session. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('portal_challenges_expiry').on(table.expiresAt)],
);

/** Who is signed in to the partner portal: a partner, by one of its keys. See decisions/portal-sessions. */
export const portalSessions = pgTable(
  'portal_sessions',
  {
    /** SHA-256 of the token, in hex: whoever reads the table can use no session. */
    tokenSha256: text('token_sha256').primaryKey(),
    partnerId: text('partner_id')
      .$type<PartnerId>()
      .notNull()
      .references(() => partners.partnerId),
    keyId: uuid('key_id')
      .notNull()
      .references(() => partnerKeys.keyId),
    startedAt: moment('started_at').notNull(),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [
    index('portal_sessions_partner').on(table.partnerId),
    index('portal_sessions_key').on(table.keyId),
    index('portal_sessions_seen').on(table.seenAt),
  ],
);

/**
 * TEST only: what partners called lately and why it was refused, for them to read (decisions/event-stream). No query, header or body. Rows
 * are written in batches after the answers, and deleted by age and each partner's number.
 */
export const requestLog = pgTable(
  'request_log',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    requestId: uuid('request_id').notNull(),
    at: moment('at').notNull().default(now),
    method: text('method').notNull(),
    path: text('path').notNull(),
    status: integer('status').notNull(),
    durationMs: doublePrecision('duration_ms').notNull(),
    /** Of the answer's body; null if it was not refused. */
    code: text('code'),
    error: text('error'),
    details: jsonb('details').$type<readonly FieldError[]>().notNull(),
    /** Whether the partner signed it. Otherwise somebody named a public key of the partner. */
    isVerified: boolean('is_verified').notNull().default(true),
  },
  (table) => [index('request_log_partner').on(table.partnerId, table.position), index('request_log_at').on(table.at)],
);

import { sql } from 'drizzle-orm';
import { bigint, bigserial, boolean, check, index, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { moment } from '@pay/shared/database/schema.ts';
import type { Role } from '../domain/roles.ts';

// The tables of this service. All but `audit` are written by the sign-in library, to its own schema under our names.

const now = (name: string) =>
  moment(name)
    .notNull()
    .default(sql`clock_now()`);
const operatorOf = () =>
  text('operator_id')
    .notNull()
    .references(() => operators.id, { onDelete: 'cascade' });

/** Who may sign in. Nobody registers himself: an administrator makes operators. */
export const operators = pgTable(
  'operators',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** The login, in lower case; the name in every audit trail. */
    email: text('email').notNull().unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    role: text('role').$type<Role>().notNull(),
    /** Set: signs in no more. Operators are never deleted, because the audit trail names them. */
    disabledAt: moment('disabled_at'),
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    createdAt: now('created_at'),
    updatedAt: now('updated_at'),
  },
  () => [check('operators_role', sql`role in ('support', 'operator', 'finance', 'admin')`)],
);

/** Who is signed in. Ends after half an hour without a request, and after ten hours in any case. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    operatorId: operatorOf(),
    expiresAt: moment('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: now('created_at'),
    updatedAt: now('updated_at'),
  },
  (table) => [index('sessions_operator').on(table.operatorId), index('sessions_expires_at').on(table.expiresAt)],
);

/** How an operator signs in: a password (its scrypt hash), or a subject of the company's own sign-in. */
export const accounts = pgTable(
  'accounts',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    operatorId: operatorOf(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: moment('access_token_expires_at'),
    refreshTokenExpiresAt: moment('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: now('created_at'),
    updatedAt: now('updated_at'),
  },
  (table) => [index('accounts_operator').on(table.operatorId)],
);

/** What a sign-in in progress has to come back with. */
export const verifications = pgTable(
  'verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: now('created_at'),
    updatedAt: now('updated_at'),
  },
  (table) => [index('verifications_identifier').on(table.identifier)],
);

/** The second factor of an operator; secret and codes encrypted with AUTH_SECRET. */
export const secondFactors = pgTable(
  'second_factors',
  {
    id: text('id').primaryKey(),
    operatorId: operatorOf(),
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    verified: boolean('verified').notNull().default(false),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: moment('locked_until'),
  },
  (table) => [index('second_factors_operator').on(table.operatorId)],
);

/** Attempts to sign in, counted over all replicas. */
export const rateLimits = pgTable('rate_limits', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  count: integer('count').notNull(),
  lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
});

/** What operators asked the console to do, and what became of it. Append-only by rights. */
export const audit = pgTable(
  'audit',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    at: now('at'),
    /** Both rows of one action have it; the service that was asked keeps it too. */
    requestId: text('request_id').notNull(),
    operator: text('operator').notNull(),
    role: text('role').$type<Role>().notNull(),
    action: text('action').notNull(),
    subjectId: text('subject_id').notNull(),
    /** ASKED is written before anything is done, so that nothing is done without a trace; ANSWERED when it is known. */
    kind: text('kind').$type<'ASKED' | 'ANSWERED'>().notNull(),
    /** The HTTP status of the answer; null where it was only asked. */
    status: smallint('status'),
    /** ASKED: what the subject was like. */
    before: jsonb('before'),
    /** ASKED: what was asked for. ANSWERED: what the subject is like now, or why it was refused. */
    after: jsonb('after'),
  },
  (table) => [
    index('audit_operator').on(table.operator, table.position),
    index('audit_subject').on(table.subjectId, table.position),
    check('audit_kind', sql`kind in ('ASKED', 'ANSWERED')`),
  ],
);

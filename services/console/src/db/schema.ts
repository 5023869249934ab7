import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { ChangeKind, ChangeStatus, SignInWith } from '../domain/account-change.ts';
import type { Role } from '@pay/shared/operators/roles.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';

export { seals } from '@pay/shared/postgres/schema.ts';

// The tables of this service. All but `audit` and `account_changes` are written by the sign-in library, to its own schema
// under our names.

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
    /** The login, in lower case; the name in every audit log. */
    email: text('email').notNull().unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    role: text('role').$type<Role>().notNull(),
    /** Set: signs in no more. Operators are never deleted, because the audit log names them. */
    disabledAt: moment('disabled_at'),
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    /**
     * Set: his password is one that others know, good for nothing but choosing his own, and for nothing at all after
     * this. Null: he chose it himself, or has none.
     */
    firstPasswordUntil: moment('first_password_until'),
    createdAt: now('created_at'),
    updatedAt: now('updated_at'),
  },
  () => [check('operators_role', sql`role in ('support', 'operator', 'finance', 'admin')`)],
);

/**
 * What one administrator proposed for somebody's account, and what another made of it. The rows stay: they say who made
 * or reset whom, and so who may not decide with whom for a day.
 */
export const accountChanges = pgTable(
  'account_changes',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<ChangeKind>().notNull(),
    /** Whose account: an operator's, or that of somebody who is to become one. */
    login: text('login').notNull(),
    /** The name of somebody new; null for who is here. */
    name: text('name'),
    /** The role to have: of somebody new, or of somebody who changes. */
    role: text('role').$type<Role>(),
    /** What somebody new signs in with. */
    signIn: text('sign_in').$type<SignInWith>(),
    status: text('status').$type<ChangeStatus>().notNull(),
    proposedBy: text('proposed_by').$type<OperatorLogin>().notNull(),
    proposedAt: now('proposed_at'),
    /** After this a proposal can only be made anew. */
    expiresAt: moment('expires_at').notNull(),
    decidedBy: text('decided_by').$type<OperatorLogin>(),
    decidedAt: moment('decided_at'),
  },
  (table) => [
    uniqueIndex('account_changes_one_proposal')
      .on(table.login)
      .where(sql`status = 'PROPOSED'`),
    index('account_changes_decided_at').on(table.decidedAt),
    index('account_changes_proposed_at').on(table.proposedAt),
    check('account_changes_kind', sql`kind in ('create', 'role', 'enable', 'reset-second-factor', 'new-password')`),
    check('account_changes_status', sql`status in ('PROPOSED', 'CONFIRMED', 'REJECTED', 'EXPIRED')`),
    check(
      'account_changes_two_people',
      sql`status <> 'CONFIRMED' or (decided_by is not null and decided_at is not null and decided_by not in (proposed_by, login))`,
    ),
  ],
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
    /** The half minute (RFC 6238, T) of the last code that was good: neither it nor an earlier one is good again. */
    lastUsedStep: bigint('last_used_step', { mode: 'number' }),
  },
  (table) => [index('second_factors_operator').on(table.operatorId)],
);

/** Passkeys (WebAuthn): public keys of devices that ask their owner for a finger or a PIN, so both factors at once. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    operatorId: operatorOf(),
    /** What its owner calls it. */
    name: text('name'),
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull().unique(),
    counter: integer('counter').notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    aaguid: text('aaguid'),
    createdAt: now('created_at'),
  },
  (table) => [index('passkeys_operator').on(table.operatorId)],
);

/** Attempts to sign in, counted over all replicas. */
export const rateLimits = pgTable('rate_limits', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  count: integer('count').notNull(),
  lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
});

/** Wrong passwords in a row, by the login that was typed. Swept after a day. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    /** HMAC of the login: what is typed there may be a password. */
    loginKey: text('login_key').primaryKey(),
    /** Whose login it is, where it is anybody's. */
    operatorId: text('operator_id').references(() => operators.id, { onDelete: 'cascade' }),
    failures: integer('failures').notNull(),
    lastFailedAt: moment('last_failed_at').notNull(),
    /** Until then no password is looked at. */
    lockedUntil: moment('locked_until'),
  },
  (table) => [
    index('sign_in_failures_operator').on(table.operatorId),
    index('sign_in_failures_last_failed_at').on(table.lastFailedAt),
  ],
);

/** What operators asked the console to do, and what became of it. Append-only by rights. */
export const audit = pgTable(
  'audit',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    at: now('at'),
    /** Both rows of one action have it; the service that was asked keeps it too. */
    requestId: text('request_id').notNull(),
    operator: text('operator').$type<OperatorLogin>().notNull(),
    /** `none`: a stranger, who tried to sign in. */
    role: text('role').$type<Role | 'none'>().notNull(),
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

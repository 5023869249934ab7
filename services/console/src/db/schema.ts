import { sql } from 'drizzle-orm';
import { bigint, bigserial, boolean, check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { ChangeKind, ChangeStatus, SignInWith } from '../domain/account-change.ts';
import type { Role } from '@pay/shared/operators/roles.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';

export { seals } from '@pay/shared/postgres/schema.ts';

// The tables of this service. All but `audit` and `account_changes` are written by the sign-in library: its schema,
// with our names.

const now = (name: string) =>
  moment(name)
    .notNull()
    .default(sql`clock_now()`);
const operatorOf = () =>
  text('operator_id')
    .notNull()
    .references(() => operators.id, { onDelete: 'cascade' });

/** Who may sign in. There is no self-registration: administrators create operators. */
export const operators = pgTable(
  'operators',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** The login in lower case, which is the name in every audit log. */
    email: text('email').notNull().unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    role: text('role').$type<Role>().notNull(),
    /** If set, they can no longer sign in. Operators are never deleted, because the audit log names them. */
    disabledAt: moment('disabled_at'),
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    /**
     * If set, others know the password: until then it can only be replaced, and after that it is invalid. Null: they
     * chose it themselves, or have none.
     */
    firstPasswordUntil: moment('first_password_until'),
    createdAt: now('created_at'),
    updatedAt: now('updated_at'),
  },
  () => [check('operators_role', sql`role in ('support', 'operator', 'finance', 'admin')`)],
);

/**
 * What one administrator proposed for an account, and what another decided. The rows stay: they record who created or
 * reset whom, and so who may not decide together for a day.
 */
export const accountChanges = pgTable(
  'account_changes',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<ChangeKind>().notNull(),
    /** The account: an operator's, or a new one's. */
    login: text('login').notNull(),
    /** The name of a new operator; null for an existing one. */
    name: text('name'),
    /** The new role, of a new or an existing operator. */
    role: text('role').$type<Role>(),
    /** How a new operator signs in. */
    signIn: text('sign_in').$type<SignInWith>(),
    status: text('status').$type<ChangeStatus>().notNull(),
    proposedBy: text('proposed_by').$type<OperatorLogin>().notNull(),
    proposedAt: now('proposed_at'),
    /** After this the proposal has expired and must be made again. */
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

/** Who is signed in. A session ends after half an hour without a request, and after ten hours in any case. */
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

/** What a sign-in in progress must return with. */
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
    /** The half minute (RFC 6238, T) of the last accepted code: neither it nor an earlier one is accepted again. */
    lastUsedStep: bigint('last_used_step', { mode: 'number' }),
  },
  (table) => [index('second_factors_operator').on(table.operatorId)],
);

/**
 * Passkeys (WebAuthn): public keys of devices that verify their owner by fingerprint or PIN, so both factors at once.
 */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    operatorId: operatorOf(),
    /** The name that its owner gave it. */
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

/** Sign-in attempts, counted over all replicas. */
export const rateLimits = pgTable('rate_limits', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  count: integer('count').notNull(),
  lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
});

/** Consecutive wrong passwords, by the login that was typed. Swept after a day. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    /** HMAC of the login: people sometimes type a password there. */
    loginKey: text('login_key').primaryKey(),
    /** The operator with that login, if there is one. */
    operatorId: text('operator_id').references(() => operators.id, { onDelete: 'cascade' }),
    failures: integer('failures').notNull(),
    lastFailedAt: moment('last_failed_at').notNull(),
    /** Until then no password is checked. */
    lockedUntil: moment('locked_until'),
  },
  (table) => [index('sign_in_failures_operator').on(table.operatorId), index('sign_in_failures_last_failed_at').on(table.lastFailedAt)],
);

/** What operators asked the console to do, and the results. The privileges make it append-only. */
export const audit = pgTable(
  'audit',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    at: now('at'),
    /** Shared by both rows of an action; the called service stores it too. */
    requestId: text('request_id').notNull(),
    operator: text('operator').$type<OperatorLogin>().notNull(),
    /** `none`: a stranger who tried to sign in. */
    role: text('role').$type<Role | 'none'>().notNull(),
    action: text('action').notNull(),
    subjectId: text('subject_id').notNull(),
    /**
     * ASKED is written before anything is done, so that nothing is done without a trace; ANSWERED once the result is
     * known.
     */
    kind: text('kind').$type<'ASKED' | 'ANSWERED'>().notNull(),
    /** The HTTP status of the answer; null in ASKED rows. */
    status: smallint('status'),
    /** ASKED: the subject's state before. */
    before: jsonb('before'),
    /** ASKED: the request. ANSWERED: the subject's new state, or why it was refused. */
    after: jsonb('after'),
  },
  (table) => [
    index('audit_operator').on(table.operator, table.position),
    index('audit_subject').on(table.subjectId, table.position),
    check('audit_kind', sql`kind in ('ASKED', 'ANSWERED')`),
  ],
);

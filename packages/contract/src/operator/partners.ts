import { z } from 'zod';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { moment, pageLimit, text } from '@pay/shared/http/fields.ts';
import { body, uuid } from '../fields.ts';
import { login, wholeInput } from './fields.ts';
import { listOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { KEY_STATUSES, PARTNER_STATUSES } from './states.ts';

/** Requests per second: a rate above this would no longer limit anything. */
const RATE_MAX = 1_000_000;
const rate = wholeInput(1, RATE_MAX);

export const PartnerQuery = z.strictObject({
  after: z.string().default('').describe('The last partnerID of the previous page'),
  limit: pageLimit(100),
});

export const CreatePartner = namedForOperators(
  'CreatePartner',
  'A new partner. It can call the API once a key is active.',
  body({
    // Characters that a header can carry and a person can read out.
    partnerID: text.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 Latin letters, digits, dots, underscores or hyphens'),
    name: typedText('operator', 140),
    ratePerSecond: rate.optional(),
    burst: rate.optional(),
  }).transform(({ partnerID: partnerId, ...partner }) => ({ partnerId, ...partner })),
);

export const SetRateLimit = namedForOperators(
  'SetRateLimit',
  'Requests per second, and the burst size.',
  body({ ratePerSecond: rate, burst: rate }),
);

export const RegisterKey = namedForOperators(
  'RegisterKey',
  'An OpenSSH public key of type ssh-ed25519. A second person activates it.',
  body({ publicKey: text.max(512, 'must be at most 512 characters') }),
);

export const PartnerKey = namedForOperators(
  'PartnerKey',
  'A key of a partner.',
  z.object({
    keyId: uuid,
    publicKey: z.string().describe('The exact text that requests must contain'),
    comment: z.string().nullable(),
    fingerprint: z.string(),
    status: z.enum(KEY_STATUSES),
    registeredBy: login,
    registeredAt: moment,
    activatedBy: login.nullable(),
    activatedAt: moment.nullable(),
    revokedBy: login.nullable(),
    revokedAt: moment.nullable(),
  }),
);
export type PartnerKey = RecordOf<typeof PartnerKey>;

export const Partner = namedForOperators(
  'Partner',
  'A partner with its keys.',
  z.object({
    partnerID: z.string(),
    name: z.string(),
    status: z.enum(PARTNER_STATUSES),
    ratePerSecond: z.int(),
    burst: z.int(),
    createdAt: moment,
    updatedAt: moment,
    keys: z.array(PartnerKey),
  }),
);
export type Partner = RecordOf<typeof Partner>;
export const PartnerList = namedForOperators('PartnerList', 'Partners, by id.', listOf(Partner));

export const PartnerAuditLogEntry = namedForOperators(
  'PartnerAuditLogEntry',
  "An operator's action on a partner or one of its keys.",
  z.object({
    at: moment,
    operator: login,
    action: z.string(),
    keyId: uuid.nullable(),
    detail: z.string().nullable().describe('A description of the change'),
  }),
);
export type PartnerAuditLogEntry = RecordOf<typeof PartnerAuditLogEntry>;
export const PartnerAuditLog = namedForOperators(
  'PartnerAuditLog',
  'Actions of operators on a partner, newest first.',
  listOf(PartnerAuditLogEntry),
);

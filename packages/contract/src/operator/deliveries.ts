import { z } from 'zod';
import { moment, pageLimit, text } from '@pay/shared/http/fields.ts';
import { eventStatus, eventType } from '../api/event-log.ts';
import { body, issuedId, uuid, uuidInput } from '../fields.ts';
import { fromMoment, login, toMoment, uuidBeginning, wholeInput } from './fields.ts';
import { listOf, pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { ATTEMPT_OUTCOMES } from '../states.ts';
import { ALERT_KINDS, RECEIVER_STATES, REPLAY_STATES } from './states.ts';

/** The query of lists that have no other filters. */
export const OfPartnerQuery = z.strictObject({
  partnerId: issuedId.describe('Only of this partner').optional(),
  limit: pageLimit(20),
});

export const DeliveryQuery = z.strictObject({
  id: uuidBeginning.describe('Only events whose id begins like this: at least six digits').optional(),
  partnerId: issuedId.describe('Only of this partner').optional(),
  paymentId: uuidInput.describe('Only events of this payment, binding or payout request').optional(),
  type: eventType.describe('Only events of this type').optional(),
  status: eventStatus.optional(),
  from: fromMoment.optional(),
  to: toMoment.optional(),
  limit: pageLimit(20),
  // Milliseconds since 1970, at most 13 digits (PostgreSQL's latest year), then the event id.
  pageToken: text
    .regex(/^\d{1,13}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be the nextPageToken of this list')
    .describe('nextPageToken of the page before')
    .optional(),
});

export const Delivery = namedForOperators(
  'Delivery',
  'An event for a partner and the state of its delivery.',
  z.object({
    eventId: uuid,
    partnerId: z.string(),
    type: eventType,
    aggregateId: z.string(),
    aggregateVersion: z.int().positive(),
    status: eventStatus,
    attemptCount: z.int().min(0),
    recordedAt: moment,
    nextAttemptAt: moment.nullable(),
    endedAt: moment.nullable(),
    resentBy: z.string().nullable(),
    requestId: z.string().nullable(),
  }),
);
export type Delivery = RecordOf<typeof Delivery>;
export const DeliveryPage = namedForOperators('DeliveryPage', 'Events, newest first.', pageOf(Delivery));

const attempt = z.object({
  number: z.int().positive(),
  url: z.string(),
  keyIds: z.array(z.string()),
  startedAt: moment,
  durationMs: z.int().min(0),
  httpStatus: z.int().nullable(),
  failure: z.string().nullable().describe('Why there was no response'),
  outcome: z.enum(ATTEMPT_OUTCOMES),
  excerptBase64: z.base64().nullable().describe('The first KiB of the response. Escape it before display'),
  nextAttemptAt: moment.nullable(),
  resentBy: z.string().nullable(),
});
export type Attempt = RecordOf<typeof attempt>;

export const DeliveryWithAttempts = namedForOperators(
  'DeliveryWithAttempts',
  'An event with the exact bytes that are sent, and all attempts.',
  Delivery.extend({ body: z.string(), bodyBase64: z.base64(), attempts: z.array(attempt) }),
);
export type DeliveryWithAttempts = RecordOf<typeof DeliveryWithAttempts>;

export const ReceiverQuery = z.strictObject({
  after: issuedId.describe('The last partnerId of the previous page').optional(),
  limit: pageLimit(20),
});

export const Receiver = namedForOperators(
  'Receiver',
  "A partner's callback address and its health.",
  z.object({
    partnerId: z.string(),
    callbackUrl: z.string().nullable(),
    state: z.enum(RECEIVER_STATES),
    failuresInARow: z.int(),
    failingSince: moment.nullable(),
    deadSince: moment.nullable(),
    refusingSince: moment.nullable(),
    rotationOpenedAt: moment.nullable(),
    waiting: z.int().describe('Events whose delivery has not ended'),
  }),
);
export type Receiver = RecordOf<typeof Receiver>;
export const ReceiverList = namedForOperators('ReceiverList', 'Callback addresses, by partner.', listOf(Receiver));

export const ReceiverWithKeys = namedForOperators(
  'ReceiverWithKeys',
  'A callback address and its signing keys. Never contains a secret.',
  Receiver.extend({
    keys: z.array(z.object({ keyId: z.string(), issuedAt: moment, expiresAt: moment.nullable() })),
  }),
);
export type ReceiverWithKeys = RecordOf<typeof ReceiverWithKeys>;

/** See spec/decisions#callback-secret: both secrets sign for 24 h unless the operator sets another time. */
const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 168;
export const OpenRotation = namedForOperators(
  'OpenRotation',
  'How long both secrets sign; 24 hours if omitted.',
  body({ overlapHours: wholeInput(0, OVERLAP_HOURS_MAX).default(OVERLAP_HOURS) }),
);
export const OpenedRotation = namedForOperators(
  'OpenedRotation',
  'The partner can now issue a new secret.',
  z.object({ partnerId: z.string(), overlapHours: z.int() }),
);
export type OpenedRotation = RecordOf<typeof OpenedRotation>;

const alert = z.object({
  alertId: z.string(),
  partnerId: z.string(),
  kind: z.enum(ALERT_KINDS),
  eventId: uuid.nullable(),
  raisedAt: moment,
});
export type Alert = RecordOf<typeof alert>;
export const AlertList = namedForOperators('AlertList', 'Delivery problems that need attention, newest first.', listOf(alert));

const entry = z.object({
  operator: login,
  action: z.string(),
  partnerId: z.string(),
  details: z.unknown(),
  at: moment,
});
export type DeliveryAuditLogEntry = RecordOf<typeof entry>;
export const DeliveryAuditLog = namedForOperators(
  'DeliveryAuditLog',
  'Actions of operators on deliveries and secrets, newest first.',
  listOf(entry),
);

export const GapQuery = z.strictObject({ limit: pageLimit(20) });
const gap = z.object({
  aggregateId: z.string(),
  partnerId: z.string(),
  nextVersion: z.int().describe('The version that never arrived'),
  firstWaiting: z.int().describe('The first version that waits for it'),
  since: moment,
});
export type Gap = RecordOf<typeof gap>;
export const GapList = namedForOperators(
  'GapList',
  'Payments and bindings whose events wait for a version that never arrived, longest wait first.',
  listOf(gap),
);

const finalStatus = eventStatus.exclude(['WAITING']);
export const StartReplay = namedForOperators(
  'StartReplay',
  'A range of events to send again; with dryRun they are only counted.',
  body({
    partnerId: issuedId,
    from: fromMoment,
    to: toMoment,
    types: z.array(eventType).max(20).default([]).describe('Empty: every type'),
    statuses: z.array(finalStatus).default([]).describe('If empty: every final status'),
    dryRun: z.boolean().default(false),
  }).refine(({ from, to }) => from < to, { path: ['to'], message: 'must be after from' }),
);
export const ReplayCount = namedForOperators('ReplayCount', 'The number of events in the range.', z.object({ total: z.int() }));
export type ReplayCount = RecordOf<typeof ReplayCount>;

export const Replay = namedForOperators(
  'Replay',
  'A replay: a range of events that is sent again.',
  z.object({
    replayId: uuid,
    partnerId: z.string(),
    from: moment,
    to: moment,
    types: z.array(z.string()),
    statuses: z.array(z.string()),
    state: z.enum(REPLAY_STATES),
    total: z.int(),
    resent: z.int(),
    requestedBy: login,
    createdAt: moment,
  }),
);
export type Replay = RecordOf<typeof Replay>;
export const ReplayList = namedForOperators('ReplayList', 'Replays, newest first.', listOf(Replay));

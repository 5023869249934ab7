import { z } from 'zod';
import { moment, momentInput } from '@pay/shared/http/fields.ts';
import { EVENTS } from '../events.ts';
import { named } from '../registry.ts';
import { LimitAndPage, nextPageToken, oneOf, uuid } from '../fields.ts';
import { ATTEMPT_FAILURES, ATTEMPT_OUTCOMES, EVENT_STATUSES } from '../states.ts';

const isType = (text: string): text is keyof typeof EVENTS => Object.hasOwn(EVENTS, text);
export const eventType = z.enum(Object.keys(EVENTS).filter(isType), { error: 'is not a type of event' });

export const eventStatus = oneOf(EVENT_STATUSES).describe(
  'WAITING: an attempt is due, running or planned; DELIVERED: answered 200; REFUSED: another 4xx; EXHAUSTED: the plan is used up; ' +
    'NOT_CONFIGURED: kept and not sent, since there was no address or secret yet, or the event was not switched on',
);

const event = z.object({
  eventId: uuid,
  type: eventType,
  objectId: uuid.describe('The payment (orderId in the event), binding or payout request'),
  aggregateVersion: z.int().positive(),
  status: eventStatus,
  attemptCount: z.int().min(0).describe('Of the present round: a replay begins a new one'),
  recordedAt: moment.describe('When it was noted down; from and to of the list measure it'),
  nextAttemptAt: moment.nullable().describe('Null once it ended'),
  endedAt: moment.nullable(),
});

const attempt = z.object({
  number: z.int().positive().describe('Within its round, from 1'),
  url: z.string().describe('The callbackUrl of that moment'),
  keyIds: z.array(z.string()).describe('The keys it was signed with'),
  startedAt: moment,
  durationMs: z.int().min(0),
  httpStatus: z.int().nullable().describe('Null when there was no answer'),
  failure: z.enum(ATTEMPT_FAILURES).nullable().describe('Why there was no answer'),
  outcome: z
    .enum(ATTEMPT_OUTCOMES)
    .describe('FLAGGED: an answer that confirms nothing, such as 204 or a redirect; tried again like RETRY'),
  answerBase64: z
    .base64()
    .nullable()
    .describe('The first 16 KiB that your address answered with, base64; null beside a 200 and where nothing came'),
  nextAttemptAt: moment.nullable(),
  isReplay: z.boolean().describe('Made because a replay was asked for'),
});

/** ADR 0136. */
export const CallbackEvent = named('CallbackEvent', 'An event of the partner, and what became of it.', event);

/** ADR 0136. */
export const CallbackEventStory = named(
  'CallbackEventStory',
  'An event with what was sent and its newest hundred attempts, the oldest of them first.',
  event.extend({
    body: z.string().describe('What is sent, byte for byte: UTF-8'),
    attempts: z.array(attempt),
  }),
);

export const CallbackEventList = named(
  'CallbackEventList',
  "The partner's events of the last 30 days, the newest first.",
  z.object({
    items: z.array(CallbackEvent),
    nextPageToken,
  }),
);

export const CallbackEventQuery = LimitAndPage.extend({
  objectId: z
    .uuid('must be the id of a payment, binding, payout request or register')
    .describe('Of this payment, binding or payout request')
    .optional(),
  type: eventType.optional(),
  status: eventStatus.optional(),
  from: momentInput('Recorded at this moment or later').optional(),
  to: momentInput('Recorded before this moment').optional(),
});

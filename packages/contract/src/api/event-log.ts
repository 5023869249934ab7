import { z } from 'zod';
import { moment, momentInput } from '@pay/shared/http/fields.ts';
import { EVENTS } from '../events.ts';
import { named } from '../registry.ts';
import { LimitAndPage, nextPageToken, oneOf, uuid } from '../fields.ts';
import { ATTEMPT_FAILURES, ATTEMPT_OUTCOMES, EVENT_STATUSES } from '../states.ts';

const isType = (text: string): text is keyof typeof EVENTS => Object.hasOwn(EVENTS, text);
export const eventType = z.enum(Object.keys(EVENTS).filter(isType), { error: 'is not a type of event' });

export const eventStatus = oneOf(EVENT_STATUSES).describe(
  'WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; ' +
    'NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled',
);

const event = z.object({
  eventId: uuid.describe('The same in every delivery; also in X-Service-Event-ID'),
  type: eventType.describe('The type of the event'),
  objectId: uuid.describe('The payment (orderId in the event), binding or payout request'),
  aggregateVersion: z.int().positive().describe('Increases by one with every event of the same object'),
  status: eventStatus,
  attemptCount: z.int().min(0).describe('In the current round: a replay starts a new round'),
  recordedAt: moment.describe('When the event was stored; from and to of the list filter by it'),
  nextAttemptAt: moment.nullable().describe('Null once delivery has ended'),
  endedAt: moment.nullable().describe('When delivery ended; null while it goes on'),
});

const attempt = z.object({
  number: z.int().positive().describe('Within its round, starting at 1'),
  url: z.string().describe('The callbackUrl at the time of the attempt'),
  keyIds: z.array(z.string()).describe('The keys that signed it'),
  startedAt: moment.describe('When it was sent'),
  durationMs: z.int().min(0).describe('How long it took, in milliseconds'),
  httpStatus: z.int().nullable().describe('Null if there was no response'),
  failure: z.enum(ATTEMPT_FAILURES).nullable().describe('Why there was no response'),
  outcome: z
    .enum(ATTEMPT_OUTCOMES)
    .describe('FLAGGED: a response that does not confirm receipt, such as 204 or a redirect; retried like RETRY'),
  answerBase64: z
    .base64()
    .nullable()
    .describe(
      'The first KiB of the response, base64; null for a 200, if there was no response, once 10 MiB of the day are stored, and in TEST from a private address',
    ),
  nextAttemptAt: moment.nullable().describe('When the next attempt was planned for; null after the last one'),
  isReplay: z.boolean().describe('Made because a replay was requested'),
});

/** See decisions/partner-events. */
export const CallbackEvent = named('CallbackEvent', 'An event for the partner and the state of its delivery.', event);

/** See decisions/partner-events. */
export const CallbackEventStory = named(
  'CallbackEventStory',
  'An event with the body that is sent and its latest 100 attempts, oldest first.',
  event.extend({
    body: z.string().describe('The exact bytes that are sent, as UTF-8'),
    attempts: z.array(attempt).describe('The latest 100, oldest first'),
  }),
);

export const CallbackEventList = named(
  'CallbackEventList',
  "The partner's events of the last 30 days, newest first.",
  z.object({
    items: z.array(CallbackEvent).describe('The events of this page'),
    nextPageToken,
  }),
);

export const CallbackEventQuery = LimitAndPage.extend({
  objectId: z
    .uuid('must be the id of a payment, binding, payout request or register')
    .describe('Only events of this payment, binding or payout request')
    .optional(),
  type: eventType.describe('Only events of this type').optional(),
  status: eventStatus.optional(),
  from: momentInput('Recorded at or after this time').optional(),
  to: momentInput('Recorded before this time').optional(),
});

/** See decisions/event-stream. */
export const CallbackStreamQuery = z.strictObject({
  after: z
    .string()
    .max(256, 'must be the id of an event of this stream')
    .describe('The id of the last event that arrived; without it, the stream begins with what happens from now on')
    .optional(),
});

import { z } from 'zod';
import { withAsciiHost } from '@pay/shared/net/public-url.ts';
import { moment } from '@pay/shared/http/fields.ts';
import { EXTRA_EVENTS } from '../extra-events.ts';
import { named } from '../registry.ts';
import { body, oneOf, publicAddress } from '../fields.ts';
import { POINT_METHODS, POINT_STATUSES } from '../states.ts';

/** See spec/service-contract#payment-point. */
export const PaymentPoint = named(
  'PaymentPoint',
  'A place where payments are taken. The bank and the route behind it are never chosen by the client.',
  z.object({
    paymentPointID: z.string(),
    storeID: z.string(),
    name: z.string(),
    status: z.enum(POINT_STATUSES),
    paymentMethods: z.array(z.enum(POINT_METHODS)),
  }),
);

export const PaymentPointList = named(
  'PaymentPointList',
  'The payment points of the partner.',
  z.object({ items: z.array(PaymentPoint) }),
);

/** An address to be saved. Whether it is public is judged by the service, which knows its own names and the environment. */
const address = (about: string) =>
  z.string({ error: 'must be a string' }).meta({ format: 'uri', description: about }).transform(withAsciiHost);

/** See spec/service-contract#integration-settings. */
export const SaveEndpoints = named(
  'SaveEndpoints',
  'Where events go, and where buyers go back to.',
  body({
    callbackUrl: address('One for all payment methods; must not answer with a redirect'),
    returnUrl: address('The default for all payments'),
    // See spec/decisions#events-beyond-the-eight.
    extraEvents: z
      .array(oneOf(EXTRA_EVENTS), { error: 'must be a list' })
      .refine((names) => new Set(names).size === names.length, 'must name each event once')
      .describe('Events to be sent beside the eight; stays as it is where it is left out, [] switches all off')
      .optional(),
  }),
);

/** See spec/decisions#endpoints. */
export const Endpoints = named(
  'Endpoints',
  'The saved addresses; null before the first save.',
  z.object({
    callbackUrl: publicAddress.nullable(),
    returnUrl: publicAddress.nullable(),
    extraEvents: z.array(z.enum(EXTRA_EVENTS)).describe('What is switched on; absent when nothing is').optional(),
    updatedAt: moment.nullable(),
  }),
);

export const IssueCallbackSecret = named(
  'IssueCallbackSecret',
  'Asks for the callback secret, once, after the addresses are saved.',
  z.strictObject({ confirmSecureStorage: z.literal(true, 'must be true') }),
);

/** ADR 0040. */
export const TestCallback = named(
  'TestCallback',
  'The event that is sent again: the newest payment.completed of the partner.',
  z.object({
    eventId: z.uuid(),
    type: z.literal('payment.completed'),
    orderId: z.uuid().describe('The payment, as the event names it'),
  }),
);

/** See spec/service-contract#callback-secret-issue-response. */
export const CallbackSecret = named(
  'CallbackSecret',
  'The callback secret. It is not shown again after replayUntil.',
  z.object({
    secret: z.base64().describe('Base64 of 32 bytes'),
    keyId: z.string().describe('Named in the signature header'),
    algorithm: z.literal('HMAC-SHA256'),
    signatureHeader: z.literal('X-Service-Signature'),
    issuedAt: moment,
    replayUntil: moment.describe('Until then a repeat with the same Idempotency-Key gives the same answer'),
  }),
);

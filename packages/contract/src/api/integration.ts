import { z } from 'zod';
import { withCalledOrigin } from '@pay/shared/net/public-url.ts';
import { moment } from '@pay/shared/http/fields.ts';
import { EXTRA_EVENTS } from '../extra-events.ts';
import { named } from '../registry.ts';
import { body, oneOf, publicAddress, uuid } from '../fields.ts';
import { POINT_METHODS, POINT_STATUSES } from '../states.ts';

/** See spec/service-contract#payment-point. */
export const PaymentPoint = named(
  'PaymentPoint',
  'A place where payments are accepted. The client never chooses the bank or the acquiring route behind it.',
  z.object({
    paymentPointID: z.string().describe('The id to pass when a payment is created'),
    storeID: z.string().describe('The store that it belongs to'),
    name: z.string().describe('For people'),
    status: z.enum(POINT_STATUSES).describe('Payments are created at ACTIVE points only'),
    paymentMethods: z.array(z.enum(POINT_METHODS)).describe('What it accepts; charges of saved cards use CARD'),
  }),
);

export const PaymentPointList = named(
  'PaymentPointList',
  "The partner's payment points.",
  z.object({ items: z.array(PaymentPoint).describe('All of them: the list has one page') }),
);

/** An address to be saved. The service checks that it is public: that depends on its own host names and the environment. */
const address = (about: string) =>
  z.string({ error: 'must be a string' }).meta({ format: 'uri', description: about }).transform(withCalledOrigin);

/** See spec/service-contract#integration-settings. */
export const SaveEndpoints = named(
  'SaveEndpoints',
  'Where events are sent, and where buyers return to.',
  body({
    callbackUrl: address('Used for all payment methods; must not respond with a redirect'),
    returnUrl: address('The default for all payments'),
    // See spec/decisions#events-beyond-the-eight.
    extraEvents: z
      .array(oneOf(EXTRA_EVENTS), { error: 'must be a list' })
      .refine((names) => new Set(names).size === names.length, 'must name each event once')
      .meta({ uniqueItems: true })
      .describe('Events to send in addition to the standard eight. Omitted: no change; []: none')
      .optional(),
  }),
);

/** See spec/decisions#endpoints. */
export const Endpoints = named(
  'Endpoints',
  'The saved addresses; null until first saved.',
  z.object({
    callbackUrl: publicAddress.nullable().describe('Where events are sent; null until first saved'),
    returnUrl: publicAddress.nullable().describe('Where buyers return to; null until first saved'),
    extraEvents: z.array(z.enum(EXTRA_EVENTS)).describe('The enabled events; absent if none are').optional(),
    updatedAt: moment.nullable().describe('When they were last saved'),
  }),
);

export const IssueCallbackSecret = named(
  'IssueCallbackSecret',
  'Requests the callback secret, once, after the addresses are saved.',
  z.strictObject({
    confirmSecureStorage: z.literal(true, 'must be true').describe('The response goes straight into secret storage'),
  }),
);

/** See decisions/partner-events. */
export const TestCallback = named(
  'TestCallback',
  "The event that is sent again: the partner's latest payment.completed.",
  z.object({
    eventId: uuid.describe('The event that is sent again'),
    type: z.literal('payment.completed').describe('Its type'),
    orderId: z.uuid().describe('The id of the payment, called orderId in the event'),
  }),
);

/** See spec/service-contract#callback-secret-issue-response. */
export const CallbackSecret = named(
  'CallbackSecret',
  'The callback secret. It is not shown again after replayUntil.',
  z.object({
    secret: z.base64().describe('Base64 of 32 bytes'),
    keyId: z.string().describe('Appears in the signature header'),
    algorithm: z.literal('HMAC-SHA256').describe('How callbacks are signed with it'),
    signatureHeader: z.literal('X-Service-Signature').describe('The header that has the signature'),
    issuedAt: moment.describe('When it was issued'),
    replayUntil: moment.describe('Until then, a repeat with the same Idempotency-Key gets the same response'),
  }),
);

import { z } from 'zod';
import { moment, text } from '@pay/shared/http/fields.ts';
import { Binding } from '../api/bindings.ts';
import { bindingStatus, chargePeriod, customerID, issuedId, LimitAndPage, uuid } from '../fields.ts';
import { pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';

export const Consent = namedForOperators(
  'Consent',
  "A buyer's consent to later charges, with all its evidence.",
  z.object({
    consentId: uuid,
    bindingId: uuid,
    paymentId: uuid,
    partnerID: z.string(),
    customerId: z.string(),
    storeName: z.string().nullable(),
    period: chargePeriod,
    capture: z.enum(['SERVICE', 'MERCHANT']).describe('Whose page collected the consent'),
    text: z.string().nullable().describe('The text that the buyer read on our page'),
    version: z.string(),
    sha256: z.string(),
    reference: z.string().nullable(),
    acceptedAt: moment,
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    recordedAt: moment,
  }),
);
export type Consent = RecordOf<typeof Consent>;

/** The bindings of one partner's buyers. */
export const OperatorBindingQuery = LimitAndPage.extend({
  partnerID: issuedId.describe('Of this partner'),
  customerId: customerID.describe('Only of this buyer').optional(),
  status: bindingStatus.describe('Only bindings with this status').optional(),
  cardLastFour: text
    .regex(/^\d{4}$/, 'must be four digits')
    .describe('Only cards that end like this')
    .optional(),
});

export const AnyBinding = namedForOperators(
  'AnyBinding',
  'A saved card of any partner.',
  Binding.extend({ partnerID: z.string(), openPaymentId: uuid.nullable().describe('The charge that is not finished') }),
);
export type AnyBinding = RecordOf<typeof AnyBinding>;
export const AnyBindingPage = namedForOperators('AnyBindingPage', 'Saved cards, newest first.', pageOf(AnyBinding));

export const BindingWithConsent = namedForOperators(
  'BindingWithConsent',
  'A saved card of any partner, with the consent it is based on.',
  AnyBinding.extend({ consent: Consent.nullable() }),
);
export type BindingWithConsent = RecordOf<typeof BindingWithConsent>;

export const ErasedBindings = namedForOperators(
  'ErasedBindings',
  'The number of rows from which personal data of the buyer was erased.',
  z.object({ bindings: z.int(), consents: z.int() }),
);
export type ErasedBindings = RecordOf<typeof ErasedBindings>;

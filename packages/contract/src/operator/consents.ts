import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import { Binding } from '../api/bindings.ts';
import { chargePeriod, uuid } from '../fields.ts';
import type { RecordOf } from './record.ts';
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

export const BindingWithConsent = namedForOperators(
  'BindingWithConsent',
  'A saved card of any partner, with the consent it is based on.',
  Binding.extend({ partnerID: z.string(), openPaymentId: uuid.nullable(), consent: Consent.nullable() }),
);
export type BindingWithConsent = RecordOf<typeof BindingWithConsent>;

export const ErasedBindings = namedForOperators(
  'ErasedBindings',
  'The number of rows from which personal data of the buyer was erased.',
  z.object({ bindings: z.int(), consents: z.int() }),
);
export type ErasedBindings = RecordOf<typeof ErasedBindings>;

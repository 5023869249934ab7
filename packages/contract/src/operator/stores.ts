import { z } from 'zod';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { moment, pageLimit } from '@pay/shared/http/fields.ts';
import { body, issuedId, newId, oneOf, rublesString } from '../fields.ts';
import { POINT_METHODS, POINT_STATUSES } from '../states.ts';
import { revision, rublesStringInput, wholeInput } from './fields.ts';
import { listOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { WHEN_NOT_AUTHENTICATED } from './states.ts';

export const StoreQuery = z.strictObject({
  partnerID: issuedId.describe('Only of this partner').optional(),
  after: issuedId.describe('The last storeId of the previous page').optional(),
  limit: pageLimit(20),
});

export const StorePath = z.object({ storeId: issuedId });
export const PaymentPointPath = z.object({ paymentPointId: issuedId });

export const CreateStore = namedForOperators(
  'CreateStore',
  'A new store of a partner.',
  body({ storeId: newId, partnerID: issuedId, name: typedText('operator', 128) }).transform(({ partnerID: partnerId, ...store }) => ({
    partnerId,
    ...store,
  })),
);

export const SetMerchantConsent = namedForOperators(
  'SetMerchantConsent',
  "Whether a store may collect the consent on the partner's own page.",
  body({ enabled: z.boolean({ error: 'must be true or false' }) }),
);

const settings = {
  name: typedText('operator', 128),
  status: oneOf(POINT_STATUSES),
  paymentMethods: z
    .array(oneOf(POINT_METHODS))
    .min(1, 'must name at least one method')
    .refine((methods) => new Set(methods).size === methods.length, 'must name each method once'),
  routeId: issuedId,
  minAmount: rublesStringInput,
  maxAmount: rublesStringInput,
  feeBasisPoints: wholeInput(0, 10_000),
  sessionMinutes: wholeInput(5, 1_440),
  whenNotAuthenticated: oneOf(WHEN_NOT_AUTHENTICATED).optional(),
  cardAttempts: wholeInput(1, 5)
    .describe('How many cards a buyer may try for one payment; absent: 1 for a new point, else unchanged')
    .optional(),
  sbpOnCardPage: z
    .boolean({ error: 'must be true or false' })
    .describe('Whether the buyer of a card payment may pay it by SBP instead; absent: false for a new point, else unchanged')
    .optional(),
};

/** In proposals that the previous version stored, and in requests of its console. It goes in the next version. */
const ignored = { emailConfirmation: z.boolean().describe('Ignored').optional() };

export const CreatePaymentPoint = namedForOperators(
  'CreatePaymentPoint',
  'A new payment point of a store. A fee requires a second person.',
  body({ paymentPointID: newId, ...settings, status: settings.status.default('ACTIVE'), ...ignored }).transform(
    ({ paymentPointID: paymentPointId, minAmount, maxAmount, emailConfirmation: _, ...point }) => ({
      paymentPointId,
      ...point,
      minAmountKopecks: minAmount,
      maxAmountKopecks: maxAmount,
    }),
  ),
);

export const ChangePaymentPoint = namedForOperators(
  'ChangePaymentPoint',
  'The new settings of a payment point. Changing the fee, or DECLINE to ACCEPT, requires a second person.',
  body({ revision, ...settings, ...ignored }).transform(({ minAmount, maxAmount, emailConfirmation: _, ...point }) => ({
    ...point,
    minAmountKopecks: minAmount,
    maxAmountKopecks: maxAmount,
  })),
);

export const PaymentPoint = namedForOperators(
  'PaymentPoint',
  'A payment point with the revision that a change must name.',
  z.object({
    paymentPointId: z.string(),
    storeId: z.string(),
    partnerId: z.string(),
    name: z.string(),
    status: z.enum(POINT_STATUSES),
    paymentMethods: z.array(z.enum(POINT_METHODS)),
    routeId: z.string(),
    minAmount: rublesString,
    maxAmount: rublesString,
    feeBasisPoints: z.int(),
    sessionMinutes: z.int(),
    whenNotAuthenticated: z.enum(WHEN_NOT_AUTHENTICATED),
    cardAttempts: z.int(),
    sbpOnCardPage: z.boolean(),
    /** The console of the previous version reads it, and the logo of a store. Both go in the next version. */
    emailConfirmation: z.literal(false),
    revision: z.int().positive(),
    createdAt: moment,
  }),
);
export type PaymentPoint = RecordOf<typeof PaymentPoint>;

const storeFields = { storeId: z.string(), partnerId: z.string(), name: z.string(), merchantConsent: z.boolean() };

export const StoreConsent = namedForOperators(
  'StoreConsent',
  "A store, and whether it may collect the consent on the partner's own page.",
  z.object(storeFields),
);

export const PartnerStore = namedForOperators(
  'PartnerStore',
  'A store with its payment points.',
  z.object({ ...storeFields, logo: z.null(), createdAt: moment, paymentPoints: z.array(PaymentPoint) }),
);
export type PartnerStore = RecordOf<typeof PartnerStore>;
export const PartnerStoreList = namedForOperators('PartnerStoreList', 'Stores with their payment points, by id.', listOf(PartnerStore));

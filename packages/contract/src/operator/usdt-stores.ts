import { z } from 'zod';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { moment, pageLimit } from '@pay/shared/http/fields.ts';
import { body, issuedId, oneOf, rublesString, usdtInput, usdtString, uuid } from '../fields.ts';
import { login, rublesStringInput } from './fields.ts';
import { listOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { BENEFICIARY_STATUSES, FUNDING_STATUSES } from './states.ts';

export const UsdtStoreQuery = z.strictObject({
  partnerID: issuedId.describe('Only of this partner').optional(),
  after: issuedId.describe('The last storeId of the previous page').optional(),
  limit: pageLimit(20),
});

const store = z.object({
  storeId: z.string(),
  partnerID: z.string(),
  name: z.string(),
  availableUsdt: usdtString,
  reservedUsdt: usdtString,
  paidUsdt: usdtString,
  creditedUsdt: usdtString,
});
export type UsdtStore = RecordOf<typeof store>;
export const UsdtStoreList = namedForOperators('UsdtStoreList', 'Stores and their USDT balances, by id.', listOf(store));

export const FundingQuery = z.strictObject({
  storeId: issuedId.describe('Only of this store').optional(),
  status: oneOf(FUNDING_STATUSES).describe('Only fundings with this status').optional(),
  limit: pageLimit(20),
});

/** The ruble counterpart is the amount at the rate, to the kopeck. */
export const ProposeFunding = namedForOperators(
  'ProposeFunding',
  'Proposes crediting USDT in settlement of what a store earned in rubles; a second person confirms.',
  body({
    amountUsdt: usdtInput,
    amountRub: rublesStringInput,
    rate: usdtInput.describe('Rubles per USDT, with up to six decimal places'),
    reference: typedText('operator', 140),
  }).transform(({ amountUsdt, amountRub, rate, reference }) => ({
    amountMicroUsdt: amountUsdt,
    amountKopecks: amountRub,
    rateMicroRub: rate,
    reference,
  })),
);

export const Funding = namedForOperators(
  'Funding',
  'USDT credited to a store, and the settlement that it represents.',
  z.object({
    fundingId: uuid,
    storeId: z.string(),
    status: z.enum(FUNDING_STATUSES),
    amountUsdt: usdtString,
    amountRub: rublesString,
    rate: usdtString,
    reference: z.string(),
    proposedBy: login,
    decidedBy: login.nullable(),
    decidedAt: moment.nullable(),
    createdAt: moment,
  }),
);
export type Funding = RecordOf<typeof Funding>;
export const FundingList = namedForOperators('FundingList', 'Fundings, newest first.', listOf(Funding));

export const ProposeBeneficiary = namedForOperators(
  'ProposeBeneficiary',
  'Proposes a recipient of payouts; a second person confirms.',
  body({ label: typedText('operator', 140) }),
);

export const RevokeBeneficiary = namedForOperators(
  'RevokeBeneficiary',
  'Revokes a recipient; partners never see the reason.',
  body({ reason: typedText('operator', 140) }),
);

export const Beneficiary = namedForOperators(
  'Beneficiary',
  'An agreed recipient, by the reference that the service issued: never a wallet address.',
  z.object({
    beneficiaryRef: z.string(),
    partnerID: z.string(),
    label: z.string(),
    status: z.enum(BENEFICIARY_STATUSES),
    issuedBy: login,
    decidedBy: login.nullable(),
    decidedAt: moment.nullable(),
    expiresAt: moment.nullable().describe('When an undecided proposal expires'),
    revokedBy: login.nullable(),
    revokedAt: moment.nullable(),
    revokeReason: z.string().nullable(),
    createdAt: moment,
  }),
);
export type Beneficiary = RecordOf<typeof Beneficiary>;
export const BeneficiaryList = namedForOperators('BeneficiaryList', "A partner's recipients.", listOf(Beneficiary));

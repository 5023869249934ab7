import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import { named } from '../registry.ts';
import {
  body,
  issuedId,
  judgedId,
  LimitAndPage,
  nextPageToken,
  usdtInput,
  usdtString,
  uuid,
  withdrawalStatus,
} from '../fields.ts';

const storeId = issuedId;
const beneficiaryRef = judgedId.describe(
  'An agreed recipient, by the reference that the service issued: never a wallet address',
);

/** See spec/service-contract#withdrawal-balance. */
export const WithdrawalBalance = named(
  'WithdrawalBalance',
  "A store's balance in our internal accounting. It is not the balance of a wallet.",
  z.object({
    storeId,
    currency: z.literal('USDT'),
    availableUsdt: usdtString,
    reservedUsdt: usdtString,
  }),
);

/** See spec/service-contract#withdrawal-request. */
export const CreateWithdrawalRequest = named(
  'CreateWithdrawalRequest',
  'Requests a payout, which people review and transfer manually.',
  body({ storeId: judgedId, amountUsdt: usdtInput, beneficiaryRef }).transform(
    ({ amountUsdt: amountMicroUsdt, ...request }) => ({ ...request, amountMicroUsdt }),
  ),
);

/** See spec/service-contract#withdrawal-request and spec/decisions#withdrawal-records-and-lists. */
export const WithdrawalRequest = named(
  'WithdrawalRequest',
  'A payout request. REQUESTED does not confirm a transfer.',
  z.object({
    withdrawalRequestId: uuid,
    storeId,
    amountUsdt: usdtString,
    beneficiaryRef,
    status: withdrawalStatus,
    statusReason: z.string().describe('Why it was rejected, cancelled or failed').optional(),
    reviewedAt: moment.optional(),
    completedAt: moment.optional(),
    transferReference: z.string().describe('The reference of the manual transfer').optional(),
    createdAt: moment,
    updatedAt: moment,
  }),
);

export const WithdrawalRequestFilter = LimitAndPage.extend({
  storeId: storeId.optional(),
  status: withdrawalStatus.optional(),
});

export const WithdrawalRequestList = named(
  'WithdrawalRequestList',
  "The partner's payout requests, newest first.",
  z.object({
    items: z.array(WithdrawalRequest),
    nextPageToken,
  }),
);

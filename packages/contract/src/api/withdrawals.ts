import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import { named } from '../registry.ts';
import { body, issuedId, judgedId, LimitAndPage, nextPageToken, usdtInput, usdtString, uuid, withdrawalStatus } from '../fields.ts';

const storeId = issuedId.describe('The store whose balance it is');
const beneficiaryRef = judgedId.describe('An agreed recipient, by the reference that the service issued: never a wallet address');

/** See spec/service-contract#withdrawal-balance. */
export const WithdrawalBalance = named(
  'WithdrawalBalance',
  "A store's balance in our internal accounting. It is not the balance of a wallet.",
  z.object({
    storeId,
    currency: z.literal('USDT').describe('Always USDT'),
    availableUsdt: usdtString.describe('What can be requested: an exact decimal string with six decimal places'),
    reservedUsdt: usdtString.describe('What open payout requests hold: an exact decimal string with six decimal places'),
  }),
);

/** See spec/service-contract#withdrawal-request. */
export const CreateWithdrawalRequest = named(
  'CreateWithdrawalRequest',
  'Requests a payout, which people review and transfer manually.',
  body({ storeId: judgedId.describe('The store that pays'), amountUsdt: usdtInput, beneficiaryRef }).transform(
    ({ amountUsdt: amountMicroUsdt, ...request }) => ({ ...request, amountMicroUsdt }),
  ),
);

/** See spec/service-contract#withdrawal-request and spec/decisions#withdrawal-records-and-lists. */
export const WithdrawalRequest = named(
  'WithdrawalRequest',
  'A payout request. REQUESTED does not confirm a transfer.',
  z.object({
    withdrawalRequestId: uuid.describe('The id of the payout request'),
    storeId,
    amountUsdt: usdtString,
    beneficiaryRef,
    status: withdrawalStatus,
    statusReason: z.string().describe('Why it was rejected, cancelled or failed').optional(),
    reviewedAt: moment.describe('When it was approved or rejected').optional(),
    completedAt: moment.describe('When the transfer was confirmed').optional(),
    transferReference: z.string().describe('The reference of the manual transfer').optional(),
    createdAt: moment.describe('When it was requested'),
    updatedAt: moment.describe('When it last changed'),
  }),
);

export const WithdrawalRequestFilter = LimitAndPage.extend({
  storeId: issuedId.describe('Only requests of this store').optional(),
  status: withdrawalStatus.describe('Only requests with this status').optional(),
});

export const WithdrawalRequestList = named(
  'WithdrawalRequestList',
  "The partner's payout requests, newest first.",
  z.object({
    items: z.array(WithdrawalRequest).describe('The requests of this page'),
    nextPageToken,
  }),
);

import type { WithdrawalFact } from '@pay/contract/messages.ts';
import { renderUsdt } from '@pay/shared/money/money.ts';

/** `data` of withdrawal.*: what the partner may read about its request, and nothing about who reviewed it. */
export function renderWithdrawalEvent(message: WithdrawalFact): Readonly<Record<string, unknown>> {
  const { statusReason, transferReference } = message;
  return {
    withdrawalRequestId: message.withdrawalRequestId,
    storeId: message.storeId,
    amountUsdt: renderUsdt(BigInt(message.amountMicroUsdt)),
    beneficiaryRef: message.beneficiaryRef,
    status: message.status,
    ...(statusReason === undefined ? {} : { statusReason }),
    ...(transferReference === undefined ? {} : { transferReference }),
    occurredAt: message.occurredAt,
  };
}

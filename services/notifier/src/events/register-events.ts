import type { RegisterReady, WithdrawalRegisterReady } from '@pay/contract/messages.ts';
import { renderRubAmount, renderUsdtAmount } from '@pay/shared/money/money.ts';

/** `data` of register.ready. */
export function renderRegisterReady(message: RegisterReady): Readonly<Record<string, unknown>> {
  const { registerId, currency, day, lines, occurredAt } = message;
  return {
    registerId,
    currency,
    date: day,
    openingBalance: renderRubAmount(BigInt(message.openingKopecks)),
    closingBalance: renderRubAmount(BigInt(message.closingKopecks)),
    lines,
    statusUrl: `/api/registers/${currency}/${day}`,
    occurredAt,
  };
}

/** `data` of withdrawal-register.ready. */
export function renderWithdrawalRegisterReady(message: WithdrawalRegisterReady): Readonly<Record<string, unknown>> {
  const { registerId, currency, day, lines, occurredAt } = message;
  return {
    registerId,
    currency,
    date: day,
    openingAvailable: renderUsdtAmount(BigInt(message.openingAvailableMicroUsdt)),
    openingReserved: renderUsdtAmount(BigInt(message.openingReservedMicroUsdt)),
    closingAvailable: renderUsdtAmount(BigInt(message.closingAvailableMicroUsdt)),
    closingReserved: renderUsdtAmount(BigInt(message.closingReservedMicroUsdt)),
    lines,
    statusUrl: `/api/registers/${currency}/${day}`,
    occurredAt,
  };
}

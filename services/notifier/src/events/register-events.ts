import type { RegisterReady, WithdrawalRegisterReady } from '@pay/contract/messages.ts';
import { renderSignedRub, renderSignedUsdt } from '@pay/shared/money/money.ts';

/** `data` of register.ready. */
export function renderRegisterReady(message: RegisterReady): Readonly<Record<string, unknown>> {
  const { registerId, currency, day, lines, occurredAt } = message;
  return {
    registerId,
    currency,
    date: day,
    openingBalance: renderSignedRub(BigInt(message.openingKopecks)),
    closingBalance: renderSignedRub(BigInt(message.closingKopecks)),
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
    openingAvailable: renderSignedUsdt(BigInt(message.openingAvailableMicroUsdt)),
    openingReserved: renderSignedUsdt(BigInt(message.openingReservedMicroUsdt)),
    closingAvailable: renderSignedUsdt(BigInt(message.closingAvailableMicroUsdt)),
    closingReserved: renderSignedUsdt(BigInt(message.closingReservedMicroUsdt)),
    lines,
    statusUrl: `/api/registers/${currency}/${day}`,
    occurredAt,
  };
}

import type { RegisterReady } from '@pay/contract/messages.ts';
import { renderSignedRub } from '@pay/shared/money/money.ts';

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

import { randomUUIDv7 } from 'node:crypto';
import type { WithdrawalRegisterReady } from '@pay/contract/messages.ts';
import type { LedgerDays } from '@pay/shared/registers/close-days.ts';
import { DAYS_START, insertRegister } from '../db/registers.ts';

/** How the days of the USDT ledger are closed. See decisions/daily-registers. */
export const USDT_DAYS: LedgerDays = {
  starts: DAYS_START,
  async close(tx, due) {
    const { registerId, madeAt, ...register } = await insertRegister(tx, randomUUIDv7(), due);
    const payload: WithdrawalRegisterReady = {
      partnerId: register.partnerId,
      registerId,
      aggregateVersion: 1,
      day: register.day,
      currency: 'USDT',
      openingAvailableMicroUsdt: register.openingAvailableMicroUsdt.toString(),
      openingReservedMicroUsdt: register.openingReservedMicroUsdt.toString(),
      closingAvailableMicroUsdt: register.closingAvailableMicroUsdt.toString(),
      closingReservedMicroUsdt: register.closingReservedMicroUsdt.toString(),
      lines: register.lineCount,
      occurredAt: madeAt.toISOString(),
    };
    return { type: 'withdrawal-register.ready', aggregateId: registerId, occurredAt: madeAt, payload };
  },
};

import { randomUUIDv7 } from 'node:crypto';
import type { RegisterReady } from '@pay/contract/messages.ts';
import type { LedgerDays } from '@pay/shared/registers/close-days.ts';
import { DAYS_START, insertRegister } from '../../db/ledger/registers.ts';

/** How days of the ruble ledger are closed. See decisions/daily-registers. */
export const RUBLE_DAYS: LedgerDays = {
  starts: DAYS_START,
  async close(tx, due) {
    const { registerId, madeAt, ...register } = await insertRegister(tx, randomUUIDv7(), due);
    const payload: RegisterReady = {
      partnerId: register.partnerId,
      registerId,
      aggregateVersion: 1,
      day: register.day,
      currency: 'RUB',
      openingKopecks: register.openingKopecks.toString(),
      closingKopecks: register.closingKopecks.toString(),
      lines: register.lineCount,
      occurredAt: madeAt.toISOString(),
    };
    return { type: 'register.ready', aggregateId: registerId, occurredAt: madeAt, payload };
  },
};

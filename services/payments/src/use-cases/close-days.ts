import { randomUUIDv7 } from 'node:crypto';
import type { RegisterReady } from '@pay/contract/messages.ts';
import { inTransaction } from '@pay/shared/database/database.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import type { Loop } from '@pay/shared/service/loop.ts';
import { findDueDay, insertRegister, takeClosingTurn, type DueDay } from '../db/registers.ts';
import type { Deps } from '../deps.ts';

const INTERVAL_MS = 10_000;
/** Days closed in a round. */
const BATCH = 100;

/** Makes the register of each partner's day once it has ended: once, on whichever replica. ADR 0137. */
export function closeDaysLoop(deps: Deps): Loop {
  return {
    name: 'registers',
    intervalMs: INTERVAL_MS,
    round: async (stopping) => ((await closeDays(deps, stopping)) === BATCH ? 'more' : 'done'),
  };
}

/** Closes days that are due, the oldest first, up to a hundred; how many. A partner whose day can't be closed holds up no other. */
export async function closeDays(deps: Deps, stopping?: AbortSignal): Promise<number> {
  const skipped: string[] = [];
  let closed = 0;
  while (closed < BATCH && stopping?.aborted !== true) {
    const outcome = await closeOneDay(deps, skipped);
    if (outcome === 'none') break;
    if (outcome === 'closed') closed += 1;
    else skipped.push(outcome.partnerId);
  }
  return closed;
}

/** `none` where nothing is due, or another replica is at it; the day where it could not be closed, which was logged. */
async function closeOneDay(deps: Deps, skipped: readonly string[]): Promise<'closed' | 'none' | DueDay> {
  const tried: DueDay[] = [];
  try {
    return await inTransaction(deps.db, async (tx) => {
      if (!(await takeClosingTurn(tx))) return 'none';
      const due = await findDueDay(tx, skipped);
      if (due === undefined) return 'none';
      tried.push(due);
      const register = await insertRegister(tx, randomUUIDv7(), due);
      const fact: RegisterReady = {
        partnerId: register.partnerId,
        registerId: register.registerId,
        aggregateVersion: 1,
        day: register.day,
        currency: 'RUB',
        openingKopecks: register.openingKopecks.toString(),
        closingKopecks: register.closingKopecks.toString(),
        lines: register.lineCount,
        occurredAt: register.madeAt.toISOString(),
      };
      const { registerId: aggregateId, madeAt: occurredAt } = register;
      await appendToOutbox(tx, { type: 'register.ready', aggregateId, occurredAt, payload: fact });
      return 'closed';
    });
  } catch (err) {
    const [due] = tried;
    if (due === undefined) throw err;
    deps.log.error('a day could not be closed', { ...due, err });
    return due;
  }
}

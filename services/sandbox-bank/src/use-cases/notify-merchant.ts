import { createHmac } from 'node:crypto';
import type { Loop } from '@pay/shared/time/loop.ts';
import {
  claimDueNotifications,
  countWaitingNotifications,
  findNextDueMs,
  scheduleNotification,
  type DueNotification,
} from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import { LOOK_WITHIN_MS, type Notifier } from '../notifier.ts';
import { moveDue } from './current-operation.ts';

const BATCH = 20;
/** The longest pause, should something change that this process does not hear of. */
const INTERVAL_MS = 10_000;
const DEADLINE_MS = 12_000;
/** Pauses between attempts. After the last one the merchant has to ask. */
const PAUSES_SECONDS = [1, 5, 30, 300, 3_600] as const;

/**
 * Notifies the merchant of results: after a request that changed something, and when the next one is due. See
 * decisions/speed.
 */
export function notifyLoop(deps: Deps, notifier: Notifier): Loop {
  return {
    name: 'notify-merchant',
    intervalMs: INTERVAL_MS,
    pause: notifier.pause,
    round: async () => {
      if (notifier.mode === 'hold') return 'done';
      // Operations that end through the passage of time are notified as well.
      await moveDue(deps);
      if ((await notifyDue(deps, notifier, 'oldest')) === BATCH) return 'more';
      const nextMs = (await findNextDueMs(deps.db)) ?? INTERVAL_MS;
      // What is due and was not taken is locked by somebody.
      return { nextMs: Math.max(nextMs, LOOK_WITHIN_MS) };
    },
  };
}

/** Sends what is due, in this order, one after another, at most one batch. Returns the number sent. */
export async function notifyDue(deps: Deps, notifier: Notifier, order: 'oldest' | 'newest'): Promise<number> {
  const due = await deps.db.transaction((tx) => claimDueNotifications(tx, order, BATCH));
  for (const operation of due) {
    const isTold = await tell(notifier, operation);
    if (notifier.mode === 'duplicate') await tell(notifier, operation);
    const pause = isTold ? null : (PAUSES_SECONDS[operation.notifyAttempts - 1] ?? null);
    await deps.db.transaction((tx) => scheduleNotification(tx, operation.operationId, pause));
  }
  return due.length;
}

/** The number of operations with a notification still to be sent. */
export async function countWaiting(deps: Deps): Promise<number> {
  return countWaitingNotifications(deps.db);
}

/** One POST. True only for a 200; any other answer, or none, counts as a failure. */
async function tell(notifier: Notifier, operation: DueNotification): Promise<boolean> {
  const { operationId, bankOperationId, kind, status, amountKopecks, updatedAt } = operation;
  const body = JSON.stringify({
    operationId,
    bankOperationId,
    kind,
    status,
    amountKopecks: amountKopecks.toString(),
    at: updatedAt.toISOString(),
  });
  const signature = createHmac('sha256', notifier.key).update(body).digest('hex');
  try {
    const answer = await fetch(notifier.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-bank-signature': signature },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await answer.body?.cancel();
    if (answer.status === 200) notifier.sent += 1;
    return answer.status === 200;
  } catch {
    return false;
  }
}

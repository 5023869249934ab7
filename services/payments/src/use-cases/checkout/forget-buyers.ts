import type { Loop } from '@pay/shared/time/loop.ts';
import { deleteOldBankAsks } from '../../db/checkout/bank-asks.ts';
import { deleteOldCardAttempts } from '../../db/checkout/card-attempts.ts';
import { deleteOldLetters } from '../../db/letter/old-letters.ts';
import type { Deps } from '../../deps.ts';

const HOUR_MS = 3_600_000;

/** Deletes what the checkout stores about buyers outside their payments: a day after it was last needed. */
export function forgetBuyersLoop(deps: Deps): Loop {
  return {
    name: 'forget-buyers',
    intervalMs: HOUR_MS,
    round: async () => {
      const asks = await deps.db.transaction(deleteOldBankAsks);
      const attempts = await deps.db.transaction(deleteOldCardAttempts);
      const letters = await deps.db.transaction(deleteOldLetters);
      return asks + attempts + letters > 0 ? 'more' : 'done';
    },
  };
}

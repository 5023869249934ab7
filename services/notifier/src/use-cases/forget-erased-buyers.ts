import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { deleteErasedEvents, ERASURE_BATCH } from '../db/erasures.ts';

const INTERVAL_MS = 10_000;

/**
 * Deletes what callbacks contain about buyers who were erased. The last callback, `binding.revoked`, is in flight when
 * the buyer is erased: it is deleted once the partner has it. See decisions/erasure.
 */
export function forgetErasedBuyersLoop(db: Db): Loop {
  return {
    name: 'forget erased buyers',
    intervalMs: INTERVAL_MS,
    round: async () => ((await inTransaction(db, deleteErasedEvents)) === ERASURE_BATCH ? 'more' : 'done'),
  };
}

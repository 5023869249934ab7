import type { Tx } from '@pay/shared/postgres/db.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { once, type IdempotentRequest, type Outcome } from '@pay/shared/idempotency/idempotency.ts';
import type { Deps } from '../../deps.ts';

/** The partner is waiting for the answer. */
const REPEATED_FOR_MS = 1_000;

/**
 * Inserts the object of a command once, and returns the id of the object that the command created. A COMMIT without an answer is
 * retried: if it had succeeded, the retry finds the object of the first try, which this caller must continue (it holds the
 * lease). So compare the id, not `replayed`, to see whether a command is a repeat.
 * @throws ApiError of `once` or `insert`: then nothing is stored and the key stays free
 */
export function insertOnce(
  deps: Deps,
  request: IdempotentRequest,
  objectId: string,
  insert: (tx: Tx) => Promise<void>,
): Promise<Omit<Outcome, 'replayed'>> {
  return repeatWhileUnavailable(REPEATED_FOR_MS, () =>
    deps.db.transaction((tx) => once(tx, request, { objectId, status: 201 }, () => insert(tx))),
  );
}

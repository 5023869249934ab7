import type { Tx } from '@pay/shared/postgres/db.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { once, type IdempotentRequest, type Outcome } from '@pay/shared/idempotency/idempotency.ts';
import type { Deps } from '../../deps.ts';

/** The partner waits for the answer meanwhile. */
const REPEATED_FOR_MS = 1_000;

/**
 * Saves a new object of a command once, and returns whose id the command has. A COMMIT without an answer is tried again: where it
 * was carried out, the second try finds the object of the first, which is still this caller's to carry on (it holds the
 * lease); so whether a command is a repeat is told by the id, not by `replayed`.
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

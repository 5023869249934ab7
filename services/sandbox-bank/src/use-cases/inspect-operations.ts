import { listHistory, type HistoryEntry } from '../db/history.ts';
import { listOperations, sumTotals, type OperationFilter, type Totals } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import type { Operation } from '../domain/operation.ts';
import { findCurrent, moveDue } from './current-operation.ts';

export type InspectedOperation = {
  readonly operation: Operation;
  readonly history: readonly HistoryEntry[];
  /** How often each call requested it, how often money moved (0 or 1), and how often the bank stayed silent. */
  readonly counters: {
    readonly requests: Record<string, number>;
    readonly moneyMoved: number;
    readonly answersWithheld: number;
  };
};

/** One operation with its whole history. @throws ApiError NOT_FOUND */
export async function inspectOperation(deps: Deps, operationId: string): Promise<InspectedOperation> {
  const operation = await findCurrent(deps, operationId);
  const history = await listHistory(deps.db, operationId);
  const requests: Record<string, number> = {};
  for (const { event, detail } of history) {
    if (event === 'REQUESTED' && detail !== null) requests[detail] = (requests[detail] ?? 0) + 1;
  }
  const count = (event: HistoryEntry['event']) => history.filter((entry) => entry.event === event).length;
  return {
    operation,
    history,
    counters: { requests, moneyMoved: count('MONEY_MOVED'), answersWithheld: count('ANSWER_WITHHELD') },
  };
}

/** Totals over the whole bank. */
export async function readTotals(deps: Deps): Promise<Totals> {
  await moveDue(deps);
  return sumTotals(deps.db);
}

/** A page of operations, newest first, and whether there are older ones. */
export async function browseOperations(
  deps: Deps,
  filter: OperationFilter,
  limit: number,
): Promise<{ readonly operations: readonly Operation[]; readonly more: boolean }> {
  await moveDue(deps);
  const found = await listOperations(deps.db, filter, limit + 1);
  return { operations: found.slice(0, limit), more: found.length > limit };
}

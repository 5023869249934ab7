import { randomUUID } from 'node:crypto';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { dayOf, endOfDay } from '@pay/shared/time/day.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import {
  claimReconciliation,
  findReconciliation,
  listRoutes,
  listStarts,
  requestReconciliation,
  type Reconciliation,
  type RouteDay,
} from '../../db/reconciliation/reconciliations.ts';
import type { Deps } from '../../deps.ts';
import { daysDue } from '../../domain/reconciliation/reconciliation.ts';
import { reconcileDay, RegisterUnavailable } from './reconcile-day.ts';

const INTERVAL_MS = 10_000;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Compares days that have ended, and resumes comparisons that an operator requested or a dead process left behind. */
export function reconciliationLoop(deps: Deps): Loop {
  return {
    name: 'reconciliation',
    intervalMs: INTERVAL_MS,
    round: async () => {
      await requestDueDays(deps);
      return (await runNext(deps)) === undefined ? 'done' : 'more';
    },
  };
}

/** Requests comparisons of the days that are due, once each. Returns how many. */
export async function requestDueDays(deps: Deps): Promise<number> {
  const now = await clock(deps.db);
  let requested = 0;
  for (const { routeId, connector, createdAt } of await listRoutes(deps.db)) {
    if (deps.acquirerOf({ routeId, connector }) === undefined) continue;
    const starts = await listStarts(deps.db, routeId, dayOf(new Date(now.getTime() - 2 * WEEK_MS)));
    for (const day of daysDue(now, starts)) {
      // The route did not exist yet.
      if (endOfDay(day) <= createdAt) continue;
      const run = await inTransaction(deps.db, (tx) => requestReconciliation(tx, { routeId, day }, randomUUID(), 'daily'));
      if (run !== undefined) requested += 1;
    }
  }
  return requested;
}

/** Runs one waiting comparison; undefined if there is none. If the bank does not answer, it is retried a minute later. */
export async function runNext(deps: Deps, wanted?: RouteDay): Promise<Reconciliation | undefined> {
  const run = await deps.db.transaction((tx) => claimReconciliation(tx, wanted));
  if (run === undefined) return undefined;
  try {
    return await reconcileDay(deps, run);
  } catch (error) {
    if (!(error instanceof RegisterUnavailable)) throw error;
    deps.log.warn('a day could not be compared yet', { routeId: run.routeId, day: run.day, err: error });
    return run;
  }
}

/**
 * POST /operator/reconciliations: compares a day of a route now. If a comparison is already running, that one is returned.
 * @throws ApiError NOT_FOUND for a route without a bank; VALIDATION_FAILED for a day that has not begun
 */
export async function reconcileNow(deps: Deps, wanted: RouteDay, operator: OperatorLogin): Promise<Reconciliation> {
  const route = (await listRoutes(deps.db)).find(({ routeId }) => routeId === wanted.routeId);
  if (route === undefined || deps.acquirerOf(route) === undefined) {
    throw new ApiError('NOT_FOUND', { text: 'there is no such route with a bank behind it' });
  }
  if (wanted.day > dayOf(await clock(deps.db))) {
    throw new ApiError('VALIDATION_FAILED', { details: [{ field: 'date', message: 'has not begun yet' }] });
  }
  await inTransaction(deps.db, (tx) => requestReconciliation(tx, wanted, randomUUID(), operator));
  await runNext(deps, wanted);
  const run = await findReconciliation(deps.db, wanted);
  if (run === undefined) throw new Error('the requested reconciliation was not found');
  return run;
}

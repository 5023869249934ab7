import type { ReconciliationResult } from '@pay/contract/operator/states.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import { endOfDay, startOfDay } from '@pay/shared/time/day.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { findException, listExceptions, type ExceptionList, type FoundException } from '../../db/reconciliation/exceptions.ts';
import {
  countItems,
  findReconciliation,
  listDifferences,
  listReconciliations,
  type Reconciliation,
  type ReconciliationItem,
  type RouteDay,
} from '../../db/reconciliation/reconciliations.ts';
import { listReportLines, type ReportLine } from '../../db/reconciliation/partner-day.ts';
import type { Deps } from '../../deps.ts';

/** A compared day, with the number of operations per result. */
export type Counted = {
  readonly run: Reconciliation;
  readonly counts: ReadonlyMap<ReconciliationResult, number>;
};

/** Counts the operations of a comparison by result. */
export async function countResults(deps: Deps, run: Reconciliation): Promise<Counted> {
  return { run, counts: await countItems(deps.db, run) };
}

/** Reconciliations, newest day first; only those of `day`, if given. */
export async function readReconciliations(deps: Deps, day: string | undefined, limit: number): Promise<Counted[]> {
  const runs = await listReconciliations(deps.db, day, limit);
  return Promise.all(runs.map((run) => countResults(deps, run)));
}

/** Differences on one page: more than this on one day have a common cause. */
const DIFFERENCES_MAX = 500;

/** A compared day with its differences. @throws ApiError NOT_FOUND */
export async function readReconciliation(
  deps: Deps,
  wanted: RouteDay,
): Promise<Counted & { readonly differences: readonly ReconciliationItem[] }> {
  const run = await findReconciliation(deps.db, wanted);
  if (run === undefined) throw new ApiError('NOT_FOUND');
  return { ...(await countResults(deps, run)), differences: await listDifferences(deps.db, run, DIFFERENCES_MAX) };
}

/** Exceptions, newest first, and where the next page begins. */
export async function readExceptions(
  deps: Deps,
  list: ExceptionList,
  limit: number,
): Promise<{ readonly items: readonly FoundException[]; readonly next: ListPosition | undefined }> {
  const found = await listExceptions(deps.db, list, limit + 1);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? undefined : { createdAt: last.createdAt, id: last.exceptionId } };
}

/** @throws ApiError NOT_FOUND */
export async function readException(deps: Deps, exceptionId: string): Promise<FoundException> {
  const exception = await findException(deps.db, exceptionId);
  if (exception === undefined) throw new ApiError('NOT_FOUND');
  return exception;
}

/** Lines held in memory at a time. */
const REPORT_PAGE = 500;

/** A partner's payments and refunds that began on a day (UTC), oldest first, page by page. */
export async function* readPartnerDay(deps: Deps, partnerId: PartnerId, day: string): AsyncGenerator<readonly ReportLine[], void> {
  const wanted = { partnerId, from: startOfDay(day), to: endOfDay(day) };
  let after: ReportLine | undefined;
  for (;;) {
    const lines = await listReportLines(deps.db, wanted, after, REPORT_PAGE);
    if (lines.length > 0) yield lines;
    if (lines.length < REPORT_PAGE) return;
    after = lines.at(-1);
  }
}

import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import {
  countItems,
  findReconciliation,
  listDifferences,
  listReconciliations,
  type Reconciliation,
  type ReconciliationItem,
} from '../db/reconciliations.ts';
import type { Deps } from '../deps.ts';
import { RECONCILIATION_RESULTS } from '../domain/reconciliation.ts';
import { reconcileNow } from '../use-cases/reconciliation-loop.ts';
import { limit } from './fields.ts';

const routeId = z.string().min(1).max(64);
const Wanted = z.strictObject({ date: z.iso.date(), routeId });
const Query = z.strictObject({
  date: z.iso.date().optional(),
  limit,
});
const Path = z.object({ routeId, date: z.iso.date() });

/** What one page shows: more differences than this on a day are one fault, not many. */
const DIFFERENCES_MAX = 500;

/** POST /operator/reconciliations: compares a day now. 202 while another comparison of it runs, or the bank is away. */
export function reconcileRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { date: day, routeId: route } = validate(Wanted, jsonBody(req));
    const run = await reconcileNow(deps, { routeId: route, day }, callerOf(res).partnerId);
    res.status(run.status === 'COMPLETED' ? 200 : 202).json(await renderRun(deps, run));
  };
}

/** GET /operator/reconciliations: the newest days first. */
export function listReconciliationsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { date, limit: count } = validate(Query, { ...req.query });
    const runs = await listReconciliations(deps.db, date, count);
    res.json({ items: await Promise.all(runs.map((run) => renderRun(deps, run))) });
  };
}

/** GET /operator/reconciliations/{routeId}/{date}: with everything that did not match. */
export function getReconciliationRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { routeId: route, date: day } = validate(Path, req.params);
    const run = await findReconciliation(deps.db, { routeId: route, day });
    if (run === undefined) throw new ApiError('NOT_FOUND');
    const items = await listDifferences(deps.db, run, DIFFERENCES_MAX);
    res.json({ ...(await renderRun(deps, run)), items: items.map(renderItem) });
  };
}

/** Signed: `-97.99`; null stays null. */
const signed = (kopecks: bigint | null): string | null =>
  kopecks === null ? null : kopecks < 0n ? `-${renderRub(-kopecks)}` : renderRub(kopecks);

async function renderRun(deps: Deps, run: Reconciliation): Promise<Readonly<Record<string, unknown>>> {
  const counts = await countItems(deps.db, run);
  const { bankKopecks, ourKopecks } = run;
  return {
    routeId: run.routeId,
    date: run.day,
    status: run.status,
    requestedBy: run.requestedBy,
    startedAt: run.startedAt.toISOString(),
    completedAt: run.completedAt?.toISOString() ?? null,
    counts: Object.fromEntries(RECONCILIATION_RESULTS.map((result) => [result, counts.get(result) ?? 0])),
    bankTotal: signed(bankKopecks),
    ourTotal: signed(ourKopecks),
    difference: bankKopecks === null || ourKopecks === null ? null : signed(bankKopecks - ourKopecks),
  };
}

function renderItem(item: ReconciliationItem): Readonly<Record<string, unknown>> {
  return {
    operationId: item.operationId,
    result: item.result,
    kind: item.kind,
    paymentId: item.paymentId,
    bankOperationId: item.bankOperationId,
    bank: { status: item.bankStatus, amount: signed(item.bankAmountKopecks) },
    ours: { status: item.ourStatus, amount: signed(item.ourAmountKopecks) },
  };
}

import type { RequestHandler } from 'express';
import { z } from 'zod';
import { RECONCILIATION_RESULTS } from '@pay/contract/operator/states.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { ReconciliationItem } from '../../db/reconciliation/reconciliations.ts';
import type { Deps } from '../../deps.ts';
import {
  countResults,
  readReconciliation,
  readReconciliations,
  type Counted,
} from '../../use-cases/reconciliation/read-reconciliations.ts';
import { reconcileNow } from '../../use-cases/reconciliation/reconciliation-loop.ts';
import { limit } from '../fields.ts';

const routeId = z.string().min(1).max(64);
const Wanted = z.strictObject({ date: z.iso.date(), routeId });
const Query = z.strictObject({
  date: z.iso.date().optional(),
  limit,
});
const Path = z.object({ routeId, date: z.iso.date() });

/** POST /operator/reconciliations: compares a day now. 202 while another comparison of it runs, or the bank is away. */
export function reconcileRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { date: day, routeId: route } = validate(Wanted, jsonBody(req));
    const run = await reconcileNow(deps, { routeId: route, day }, operatorOf(res).login);
    res.status(run.status === 'COMPLETED' ? 200 : 202).json(renderRun(await countResults(deps, run)));
  };
}

/** GET /operator/reconciliations: the newest days first. */
export function listReconciliationsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { date, limit: count } = validate(Query, { ...req.query });
    const runs = await readReconciliations(deps, date, count);
    res.json({ items: runs.map(renderRun) });
  };
}

/** GET /operator/reconciliations/{routeId}/{date}: with everything that did not match. */
export function getReconciliationRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { routeId: route, date: day } = validate(Path, req.params);
    const { differences, ...counted } = await readReconciliation(deps, { routeId: route, day });
    res.json({ ...renderRun(counted), items: differences.map(renderItem) });
  };
}

/** Signed: `-97.99`; null stays null. */
const signed = (kopecks: bigint | null): string | null =>
  kopecks === null ? null : kopecks < 0n ? `-${renderRub(-kopecks)}` : renderRub(kopecks);

function renderRun({ run, counts }: Counted): Readonly<Record<string, unknown>> {
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

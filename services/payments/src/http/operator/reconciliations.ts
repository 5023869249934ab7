import type { RequestHandler } from 'express';
import {
  Reconcile,
  ReconciliationPath,
  ReconciliationQuery,
  type Reconciliation,
  type ReconciliationDifference,
  type ReconciliationList,
  type ReconciliationWithDifferences,
} from '@pay/contract/operator/exceptions.ts';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import type { ReconciliationResult } from '@pay/contract/operator/states.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import { renderRubAmount } from '@pay/shared/money/money.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { ReconciliationItem } from '../../db/reconciliation/reconciliations.ts';
import type { Deps } from '../../deps.ts';
import {
  countResults,
  readReconciliation,
  readReconciliations,
  type Counted,
} from '../../use-cases/reconciliation/read-reconciliations.ts';
import { reconcileNow } from '../../use-cases/reconciliation/reconciliation-loop.ts';

/** POST /operator/reconciliations: compares a day now. 202 if another comparison of that day is running or the bank does not answer. */
export function reconcileRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { date: day, routeId } = validate(Reconcile, jsonBody(req));
    const run = await reconcileNow(deps, { routeId, day }, operatorOf(res).login);
    res.status(run.status === 'COMPLETED' ? 200 : 202).json(renderRun(await countResults(deps, run)));
  };
}

/** GET /operator/reconciliations: the newest days first. */
export function listReconciliationsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { date, limit } = validateQuery(ReconciliationQuery, req.url);
    const runs = await readReconciliations(deps, date, limit);
    const list: RecordOf<typeof ReconciliationList> = { items: runs.map(renderRun) };
    res.json(list);
  };
}

/** GET /operator/reconciliations/{routeId}/{date}: a comparison with everything that did not match. */
export function getReconciliationRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { routeId, date: day } = validate(ReconciliationPath, req.params);
    const { differences, ...counted } = await readReconciliation(deps, { routeId, day });
    const answer: RecordOf<typeof ReconciliationWithDifferences> = {
      ...renderRun(counted),
      items: differences.map(renderDifference),
    };
    res.json(answer);
  };
}

const renderAmount = (kopecks: bigint | null): string | null => (kopecks === null ? null : renderRubAmount(kopecks));

function renderRun({ run, counts }: Counted): Reconciliation {
  const { bankKopecks, ourKopecks } = run;
  return {
    routeId: run.routeId,
    date: run.day,
    status: run.status,
    requestedBy: run.requestedBy,
    startedAt: run.startedAt.toISOString(),
    completedAt: run.completedAt?.toISOString() ?? null,
    counts: renderCounts(counts),
    bankTotal: renderAmount(bankKopecks),
    ourTotal: renderAmount(ourKopecks),
    difference: bankKopecks === null || ourKopecks === null ? null : renderAmount(bankKopecks - ourKopecks),
  };
}

function renderCounts(counts: ReadonlyMap<ReconciliationResult, number>): Reconciliation['counts'] {
  const count = (result: ReconciliationResult): number => counts.get(result) ?? 0;
  return {
    MATCHED: count('MATCHED'),
    IN_PROGRESS: count('IN_PROGRESS'),
    MISSING_HERE: count('MISSING_HERE'),
    MISSING_THERE: count('MISSING_THERE'),
    DIFFERENT_AMOUNT: count('DIFFERENT_AMOUNT'),
    DIFFERENT_STATE: count('DIFFERENT_STATE'),
  };
}

function renderDifference(item: ReconciliationItem): ReconciliationDifference {
  return {
    operationId: item.operationId,
    result: item.result,
    kind: item.kind,
    paymentId: item.paymentId,
    bankOperationId: item.bankOperationId,
    bank: { status: item.bankStatus, amount: renderAmount(item.bankAmountKopecks) },
    ours: { status: item.ourStatus, amount: renderAmount(item.ourAmountKopecks) },
  };
}

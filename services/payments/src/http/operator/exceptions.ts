import type { RequestHandler } from 'express';
import { z } from 'zod';
import { EXCEPTION_KINDS } from '@pay/contract/operator/states.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Exception } from '../../db/reconciliation/exceptions.ts';
import type { ApiDeps } from '../../deps.ts';
import { readException, readExceptions } from '../../use-cases/reconciliation/read-reconciliations.ts';
import { readBackException, resolveException } from '../../use-cases/reconciliation/resolve-exception.ts';
import { limit, operatorNote, pageToken } from '../fields.ts';

const Query = z.strictObject({
  status: z.enum(['OPEN', 'RESOLVED']).optional(),
  kind: z.enum(EXCEPTION_KINDS).optional(),
  date: z.iso.date().optional(),
  limit,
  pageToken: pageToken.optional(),
});
const Path = z.object({ exceptionId: z.uuid() });
const Settling = z.strictObject({ note: operatorNote });

/** GET /operator/exceptions: the newest first. */
export function listExceptionsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { status, kind, date: day, limit: count, pageToken: token } = validate(Query, { ...req.query });
    const scope = ['operator-exceptions', operatorOf(res).login, status, kind, day];
    const after = readPosition(deps.pageTokens, token, scope);
    const { items, next } = await readExceptions(deps, { status, kind, day }, after, count);
    res.json({ items: items.map(renderException), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

/** GET /operator/exceptions/{exceptionId} */
export function getExceptionRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    res.json(renderException(await readException(deps, validate(Path, req.params).exceptionId)));
  };
}

/** POST /operator/exceptions/{exceptionId}/settle */
export function resolveExceptionRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { exceptionId } = validate(Path, req.params);
    const { note } = validate(Settling, jsonBody(req));
    const operator = operatorOf(res).login;
    res.json(renderException(await resolveException(deps, exceptionId, { note, operator })));
  };
}

/** POST /operator/exceptions/{exceptionId}/read-back */
export function readBackExceptionRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { exceptionId } = validate(Path, req.params);
    res.json(renderException(await readBackException(deps, exceptionId, operatorOf(res).login)));
  };
}

const rub = (kopecks: bigint | null): string | null => (kopecks === null ? null : renderRub(kopecks));

/** A difference as operators see it. */
export function renderException(exception: Exception): Readonly<Record<string, unknown>> {
  return {
    exceptionId: exception.exceptionId,
    kind: exception.kind,
    status: exception.status,
    reason: exception.reason,
    date: exception.day,
    routeId: exception.routeId,
    paymentId: exception.paymentId,
    operationId: exception.operationId,
    bankOperationId: exception.bankOperationId,
    bank: { status: exception.bankStatus, amount: rub(exception.bankAmountKopecks), currency: exception.bankCurrency },
    ours: { status: exception.ourStatus, amount: rub(exception.ourAmountKopecks) },
    note: exception.note,
    resolvedBy: exception.resolvedBy,
    createdAt: exception.createdAt.toISOString(),
    resolvedAt: exception.resolvedAt?.toISOString() ?? null,
  };
}

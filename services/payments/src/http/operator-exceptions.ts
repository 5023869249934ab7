import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { findException, listExceptions, type Exception } from '../db/exceptions.ts';
import type { Deps } from '../deps.ts';
import { EXCEPTION_KINDS } from '../domain/reconciliation.ts';
import { readBackException, settleException } from '../use-cases/settle-exception.ts';
import { limit, operatorNote, pageToken } from './fields.ts';

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
export function listExceptionsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { status, kind, date: day, limit: count, pageToken: token } = validate(Query, { ...req.query });
    const scope = ['operator-exceptions', callerOf(res).partnerId, status, kind, day];
    const after = readPosition(deps.pageTokens, token, scope);
    const found = await listExceptions(deps.db, { status, kind, day }, after, count + 1);
    const items = found.slice(0, count);
    const last = found.length > count ? items.at(-1) : undefined;
    const next = last === undefined ? undefined : { createdAt: last.createdAt, id: last.exceptionId };
    res.json({ items: items.map(renderException), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

/** GET /operator/exceptions/{exceptionId} */
export function getExceptionRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const exception = await findException(deps.db, validate(Path, req.params).exceptionId);
    if (exception === undefined) throw new ApiError('NOT_FOUND');
    res.json(renderException(exception));
  };
}

/** POST /operator/exceptions/{exceptionId}/settle */
export function settleExceptionRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { exceptionId } = validate(Path, req.params);
    const { note } = validate(Settling, jsonBody(req));
    const operator = callerOf(res).partnerId;
    res.json(renderException(await settleException(deps, exceptionId, { note, operator })));
  };
}

/** POST /operator/exceptions/{exceptionId}/read-back */
export function readBackExceptionRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { exceptionId } = validate(Path, req.params);
    res.json(renderException(await readBackException(deps, exceptionId, callerOf(res).partnerId)));
  };
}

const rub = (kopecks: bigint | null): string | null => (kopecks === null ? null : renderRub(kopecks));

function renderException(exception: Exception): Readonly<Record<string, unknown>> {
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

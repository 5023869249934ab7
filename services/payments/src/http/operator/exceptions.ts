import type { RequestHandler, Response } from 'express';
import {
  BookException,
  ExceptionQuery,
  ResolveException,
  type ExceptionPage,
  type ReconciliationException,
} from '@pay/contract/operator/exceptions.ts';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Exception, FoundException } from '../../db/reconciliation/exceptions.ts';
import type { ApiDeps } from '../../deps.ts';
import { readException, readExceptions } from '../../use-cases/reconciliation/read-reconciliations.ts';
import { bookUnknownOperation } from '../../use-cases/reconciliation/book-unknown-operation.ts';
import { returnUnknownOrder } from '../../use-cases/reconciliation/return-unknown-order.ts';
import { unknownKindOf, type UnknownOutcome } from '../../use-cases/reconciliation/unknown-operation.ts';
import { renderProposed } from './render-proposal.ts';
import { readBackException, resolveException } from '../../use-cases/reconciliation/resolve-exception.ts';

/** GET /operator/exceptions: the newest or the oldest first. */
export function listExceptionsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { status, kind, date: day, order, limit, pageToken } = validateQuery(ExceptionQuery, req.url);
    const scope = ['operator-exceptions', operatorOf(res).login, status, kind, day, order];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const { items, next } = await readExceptions(deps, { filter: { status, kind, day }, order, after }, limit);
    const page: RecordOf<typeof ExceptionPage> = {
      items: items.map((item) => renderFound(deps, item)),
      nextPageToken: writePosition(deps.pageTokens, next, scope),
    };
    res.json(page);
  };
}

/** GET /operator/exceptions/{exceptionId} */
export function getExceptionRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    res.json(renderFound(deps, await readException(deps, pathId(req, 'exceptionId'))));
  };
}

/** POST /operator/exceptions/{exceptionId}/settle */
export function resolveExceptionRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const exceptionId = pathId(req, 'exceptionId');
    const { note } = validate(ResolveException, jsonBody(req));
    const operator = operatorOf(res).login;
    res.json(renderException(await resolveException(deps, exceptionId, { note, operator })));
  };
}

/** POST /operator/exceptions/{exceptionId}/read-back */
export function readBackExceptionRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const exceptionId = pathId(req, 'exceptionId');
    res.json(renderException(await readBackException(deps, exceptionId, operatorOf(res).login)));
  };
}

/**
 * POST /operator/exceptions/{exceptionId}/book: a payment or refund that only the bank knows is ours. 202: a second person must confirm.
 */
export function bookExceptionRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const exceptionId = pathId(req, 'exceptionId');
    const asked = validate(BookException, jsonBody(req));
    sendOutcome(res, await bookUnknownOperation(deps, exceptionId, asked, operatorOf(res)));
  };
}

/** POST /operator/exceptions/{exceptionId}/return: the money of an order that only the bank knows goes back. */
export function returnExceptionRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    sendOutcome(res, await returnUnknownOrder(deps, pathId(req, 'exceptionId'), operatorOf(res)));
  };
}

function sendOutcome(res: Response, outcome: UnknownOutcome): void {
  if (outcome.kind === 'done') res.json(renderException(outcome.exception));
  else res.status(202).json(renderProposed(outcome.proposal));
}

const renderAmount = (kopecks: bigint | null): string | null => (kopecks === null ? null : renderRub(kopecks));

function renderFound(deps: ApiDeps, exception: FoundException): ReconciliationException {
  const kind = unknownKindOf(deps, exception);
  const unknownOperation = kind === null ? null : { kind, refunds: exception.originalOperationId };
  return { ...renderException(exception), unknownOperation };
}

/** An exception as operators see it, of an operation that our books have or that is resolved. */
export function renderException(exception: Exception): ReconciliationException {
  const { bankStatus, bankAmountKopecks, bankCurrency, ourStatus, ourAmountKopecks } = exception;
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
    unknownOperation: null,
    bank: { status: bankStatus, amount: renderAmount(bankAmountKopecks), currency: bankCurrency },
    ours: { status: ourStatus, amount: renderAmount(ourAmountKopecks) },
    note: exception.note,
    resolvedBy: exception.resolvedBy,
    createdAt: exception.createdAt.toISOString(),
    resolvedAt: exception.resolvedAt?.toISOString() ?? null,
  };
}

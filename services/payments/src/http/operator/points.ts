import type { RequestHandler } from 'express';
import { Asked } from '@pay/contract/operator/proposals.ts';
import {
  ChangePaymentPoint,
  CreatePaymentPoint,
  PaymentPointPath,
  StorePath,
  type PaymentPoint as PaymentPointRecord,
} from '@pay/contract/operator/stores.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { PaymentPoint } from '../../db/merchant/payment-points.ts';
import type { ApiDeps, Deps } from '../../deps.ts';
import { changePoint, createPoint, readPoint, type NewPoint, type PointChange } from '../../use-cases/merchant/manage-points.ts';
import { renderProposed } from './render-proposal.ts';

/** POST /operator/stores/{storeId}/payment-points: 201; with a fee 202 and a `proposal`. */
export function createPointRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { storeId } = validate(StorePath, req.params);
    const body = jsonBody(req);
    const wanted = newPointOf(storeId, body);
    const outcome = await createPoint(deps.db, wanted, { ...askedOf(body), storeId }, operatorOf(res));
    if (outcome.kind === 'proposed') res.status(202).json(renderProposed(outcome.proposal));
    else res.status(201).json(renderPoint(outcome.point));
  };
}

/** The new payment point that the body of a request, or a proposal, describes. @throws ApiError 400 */
export function newPointOf(storeId: string, body: unknown): NewPoint {
  return { storeId, ...validate(CreatePaymentPoint, body) };
}

/** GET /operator/payment-points/{paymentPointId} */
export function getPointRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { paymentPointId } = validate(PaymentPointPath, req.params);
    res.json(renderPoint(await readPoint(deps.db, paymentPointId)));
  };
}

/**
 * PUT /operator/payment-points/{paymentPointId}. 409 STALE_REVISION, with the point as `current`, if `revision` is not the
 * newest. A change of the fee, or ACCEPT after DECLINE: 202 with a `proposal`.
 */
export function changePointRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { paymentPointId } = validate(PaymentPointPath, req.params);
    const body = jsonBody(req);
    const change = pointChangeOf(paymentPointId, body);
    const outcome = await changePoint(deps.db, change, askedOf(body), operatorOf(res));
    if (outcome.kind === 'proposed') {
      res.status(202).json(renderProposed(outcome.proposal));
      return;
    }
    const current = renderPoint(outcome.point);
    if (outcome.kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

/** The change that the body of a request, or a proposal, describes. @throws ApiError 400 */
export function pointChangeOf(paymentPointId: string, body: unknown): PointChange {
  const { revision, ...settings } = validate(ChangePaymentPoint, body);
  return { paymentPointId, revision, settings };
}

/** A body that was parsed, as a proposal keeps it: as it was sent. Its numbers are whole and small, so plain numbers hold them. */
function askedOf(body: unknown): Asked {
  const text = JSON.stringify(body, (_name, value: unknown) => (value instanceof JsonNumber ? Number(value.token) : value));
  return Asked.parse(JSON.parse(text));
}

/** A payment point as operators see it. */
export function renderPoint(point: PaymentPoint): PaymentPointRecord {
  const { paymentPointId, storeId, partnerId, name, status, paymentMethods, routeId, revision } = point;
  return {
    paymentPointId,
    storeId,
    partnerId,
    name,
    status,
    paymentMethods,
    routeId,
    minAmount: renderRub(point.minAmountKopecks),
    maxAmount: renderRub(point.maxAmountKopecks),
    feeBasisPoints: point.feeBasisPoints,
    sessionMinutes: point.sessionMinutes,
    whenNotAuthenticated: point.whenNotAuthenticated,
    cardAttempts: point.cardAttempts,
    sbpOnCardPage: point.sbpOnCardPage,
    emailConfirmation: false,
    revision,
    createdAt: point.createdAt.toISOString(),
  };
}

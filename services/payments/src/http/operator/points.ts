import type { RequestHandler } from 'express';
import { z } from 'zod';
import { WHEN_NOT_AUTHENTICATED } from '@pay/contract/operator/states.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { PaymentPoint } from '../../db/merchant/payment-points.ts';
import type { Deps } from '../../deps.ts';
import {
  changePoint,
  createPoint,
  readPoint,
  type NewPoint,
  type PointChange,
  type PointSettings,
} from '../../use-cases/merchant/manage-points.ts';
import { renderProposal } from './render-proposal.ts';
import { issuedId, newId, refundAmount as amountText } from '../fields.ts';

/** A whole number of JSON within limits. */
const whole = (min: number, max: number) =>
  z.unknown().transform((value, ctx): number => {
    const number = value instanceof JsonNumber && /^\d{1,9}$/.test(value.token) ? Number(value.token) : Number.NaN;
    if (number >= min && number <= max) return number;
    ctx.addIssue({ code: 'custom', message: `must be a whole number from ${String(min)} to ${String(max)}` });
    return z.NEVER;
  });

const settings = {
  name: typedText('point.name'),
  status: z.enum(['ACTIVE', 'SUSPENDED', 'CLOSED']),
  paymentMethods: z
    .array(z.enum(['CARD', 'SBP_DYNAMIC_QR']))
    .min(1, 'must name at least one method')
    .refine((methods) => new Set(methods).size === methods.length, 'must name each method once'),
  routeId: issuedId,
  minAmount: amountText,
  maxAmount: amountText,
  feeBasisPoints: whole(0, 10_000),
  sessionMinutes: whole(5, 1_440),
  whenNotAuthenticated: z.enum(WHEN_NOT_AUTHENTICATED).optional(),
};
const Wanted = z.strictObject({ paymentPointID: newId, ...settings, status: settings.status.default('ACTIVE') });
const Change = z.strictObject({ revision: whole(1, 999_999_999), ...settings });
const StorePath = z.object({ storeId: issuedId });
const PointPath = z.object({ paymentPointId: issuedId });

/** POST /operator/stores/{storeId}/payment-points: 201; with a fee 202 and a `proposal`. */
export function createPointRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId } = validate(StorePath, req.params);
    const body = jsonBody(req);
    const asked = { ...textsOf(body), storeId };
    const outcome = await createPoint(deps.db, newPointOf(storeId, body), asked, operatorOf(res));
    if (outcome.kind === 'proposed') res.status(202).json({ proposal: renderProposal(outcome.proposal) });
    else res.status(201).json(renderPoint(outcome.point));
  };
}

/** A new point as the body of a request, or a proposal, says it. @throws ApiError 400 */
export function newPointOf(storeId: string, body: unknown): NewPoint {
  const { paymentPointID: paymentPointId, ...settings } = validate(Wanted, body);
  return { storeId, paymentPointId, ...settingsOf(settings) };
}

/** GET /operator/payment-points/{paymentPointId} */
export function getPointRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { paymentPointId } = validate(PointPath, req.params);
    res.json(renderPoint(await readPoint(deps.db, paymentPointId)));
  };
}

/** PUT /operator/payment-points/{paymentPointId}. A revision that is not the newest: 409 STALE_REVISION with `current`. Another fee, or ACCEPT after DECLINE: 202 with a `proposal`. */
export function changePointRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { paymentPointId } = validate(PointPath, req.params);
    const body = jsonBody(req);
    const change = pointChangeOf(paymentPointId, body);
    const outcome = await changePoint(deps.db, change, textsOf(body), operatorOf(res));
    if (outcome.kind === 'proposed') {
      res.status(202).json({ proposal: renderProposal(outcome.proposal) });
      return;
    }
    const current = renderPoint(outcome.point);
    if (outcome.kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

/** A change as the body of a request, or a proposal, says it. @throws ApiError 400 */
export function pointChangeOf(paymentPointId: string, body: unknown): PointChange {
  const { revision, ...settings } = validate(Change, body);
  return { paymentPointId, revision, settings: settingsOf(settings) };
}

/** A checked body as it is kept in a proposal: numbers by their token. */
function textsOf(body: unknown): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(body, (_name, value: unknown) =>
    value instanceof JsonNumber ? Number(value.token) : value,
  );
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

function settingsOf({
  minAmount: minAmountKopecks,
  maxAmount: maxAmountKopecks,
  ...rest
}: Omit<z.output<typeof Change>, 'revision'>): PointSettings {
  return { ...rest, minAmountKopecks, maxAmountKopecks };
}

/** A payment point as operators see it. */
export function renderPoint(point: PaymentPoint) {
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
    revision,
    createdAt: point.createdAt.toISOString(),
  };
}

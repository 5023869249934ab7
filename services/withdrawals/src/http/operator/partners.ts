import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { parseRubString } from '@pay/shared/money/money.ts';
import type { Deps } from '../../deps.ts';
import { FUNDING_STATUSES } from '../../domain/funding.ts';
import { decideOnFunding, proposeFunding, readFundings } from '../../use-cases/fund-store.ts';
import { decideOnBeneficiary, proposeBeneficiary, readBeneficiaries } from '../../use-cases/manage-beneficiaries.ts';
import { amountUsdt, issuedId, limit, param, uuidParam } from '../fields.ts';
import { renderBeneficiary, renderFunding } from '../render.ts';

const BeneficiaryBody = z.strictObject({ label: typedText('beneficiary.label') });
const FundingQuery = z.strictObject({
  storeId: issuedId.optional(),
  status: z.enum(FUNDING_STATUSES).optional(),
  limit,
});

const amountRub = z.unknown().transform((value, ctx): bigint => {
  const kopecks = typeof value === 'string' ? parseRubString(value) : undefined;
  if (kopecks !== undefined) return kopecks;
  ctx.addIssue({ code: 'custom', message: 'must be a string of rubles with two digits after the point' });
  return z.NEVER;
});
/** `rate`: RUB for one USDT, written as an amount of six digits. */
const FundingBody = z.strictObject({
  amountUsdt,
  amountRub,
  rate: amountUsdt,
  reference: typedText('funding.reference'),
});

/** POST /operator/partners/{partnerID}/beneficiaries */
export function proposeBeneficiaryRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { label } = validate(BeneficiaryBody, jsonBody(req));
    const partnerId = validate(issuedId, param(req, 'partnerID'));
    const beneficiary = await proposeBeneficiary(deps.db, operatorOf(res), partnerId, label);
    res.status(201).json(renderBeneficiary(beneficiary));
  };
}

/**
 * POST /operator/beneficiaries/{beneficiaryRef}/confirm and …/reject. One that is decided, or too old: 409 STALE_REVISION with
 * `current`.
 */
export function decideBeneficiaryRoute(deps: Deps, to: 'ISSUED' | 'REJECTED'): RequestHandler {
  return async (req, res) => {
    const reference = param(req, 'beneficiaryRef');
    const { kind, beneficiary } = await decideOnBeneficiary(deps.db, operatorOf(res), reference, to);
    const current = renderBeneficiary(beneficiary);
    if (kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

/** GET /operator/partners/{partnerID}/beneficiaries */
export function listBeneficiariesRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json({ items: (await readBeneficiaries(deps.db, param(req, 'partnerID'))).map(renderBeneficiary) });
  };
}

/** POST /operator/stores/{storeID}/fundings */
export function proposeFundingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const body = validate(FundingBody, jsonBody(req));
    const funding = await proposeFunding(deps.db, operatorOf(res), {
      storeId: param(req, 'storeID'),
      amountMicroUsdt: body.amountUsdt,
      amountKopecks: body.amountRub,
      rateMicroRub: body.rate,
      reference: body.reference,
    });
    res.status(201).json(renderFunding(funding));
  };
}

/** GET /operator/fundings */
export function listFundingsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId, status, limit: count } = validate(FundingQuery, { ...req.query });
    res.json({ items: (await readFundings(deps.db, { storeId, status }, count)).map(renderFunding) });
  };
}

/** POST /operator/fundings/{fundingID}/confirm and …/reject. One that is decided: 409 STALE_REVISION with `current`. */
export function decideFundingRoute(deps: Deps, to: 'CONFIRMED' | 'REJECTED'): RequestHandler {
  return async (req, res) => {
    const { kind, funding } = await decideOnFunding(deps.db, operatorOf(res), uuidParam(req, 'fundingID'), to);
    const current = renderFunding(funding);
    if (kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

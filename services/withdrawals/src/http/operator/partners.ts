import type { RequestHandler } from 'express';
import { FundingQuery, ProposeBeneficiary, ProposeFunding, RevokeBeneficiary } from '@pay/contract/operator/usdt-stores.ts';
import { issuedId } from '@pay/contract/fields.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { pathId, pathName } from '@pay/shared/http/path-id.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { decideOnFunding, proposeFunding, readFundings } from '../../use-cases/fund-store.ts';
import { decideOnBeneficiary, proposeBeneficiary, readBeneficiaries, revokeBeneficiary } from '../../use-cases/manage-beneficiaries.ts';
import { renderBeneficiary, renderFunding } from '../render.ts';

/** POST /operator/partners/{partnerID}/beneficiaries */
export function proposeBeneficiaryRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { label } = validate(ProposeBeneficiary, jsonBody(req));
    const partnerId = validate(issuedId, pathName(req, 'partnerID'));
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
    const reference = pathName(req, 'beneficiaryRef');
    const { kind, beneficiary } = await decideOnBeneficiary(deps.db, operatorOf(res), reference, to);
    const current = renderBeneficiary(beneficiary);
    if (kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

/** POST /operator/beneficiaries/{beneficiaryRef}/revoke. One that is not issued: 409 STALE_REVISION with `current`. */
export function revokeBeneficiaryRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { reason } = validate(RevokeBeneficiary, jsonBody(req));
    const reference = pathName(req, 'beneficiaryRef');
    const { kind, beneficiary } = await revokeBeneficiary(deps.db, operatorOf(res), reference, reason);
    const current = renderBeneficiary(beneficiary);
    if (kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

/** GET /operator/partners/{partnerID}/beneficiaries */
export function listBeneficiariesRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json({ items: (await readBeneficiaries(deps.db, pathName(req, 'partnerID'))).map(renderBeneficiary) });
  };
}

/** POST /operator/stores/{storeID}/fundings */
export function proposeFundingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const asked = validate(ProposeFunding, jsonBody(req));
    const funding = await proposeFunding(deps.db, operatorOf(res), { storeId: pathName(req, 'storeID'), ...asked });
    res.status(201).json(renderFunding(funding));
  };
}

/** GET /operator/fundings */
export function listFundingsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId, status, limit: count } = validateQuery(FundingQuery, req.url);
    res.json({ items: (await readFundings(deps.db, { storeId, status }, count)).map(renderFunding) });
  };
}

/** POST /operator/fundings/{fundingID}/confirm and …/reject. One that is decided: 409 STALE_REVISION with `current`. */
export function decideFundingRoute(deps: Deps, to: 'CONFIRMED' | 'REJECTED'): RequestHandler {
  return async (req, res) => {
    const { kind, funding } = await decideOnFunding(deps.db, operatorOf(res), pathId(req, 'fundingID'), to);
    const current = renderFunding(funding);
    if (kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

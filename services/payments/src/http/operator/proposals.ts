import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { PROPOSAL_STATUSES } from '@pay/contract/operator/states.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { parseJson } from '@pay/shared/json/json-body.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Proposal } from '../../db/proposal/proposals.ts';
import type { ApiDeps } from '../../deps.ts';
import { confirmNewPoint, confirmPointChange } from '../../use-cases/merchant/manage-points.ts';
import { rejectProposal } from '../../use-cases/proposal/propose.ts';
import { readProposal, readProposals } from '../../use-cases/proposal/read-proposals.ts';
import { confirmRefund } from '../../use-cases/refund/refund-for-operator.ts';
import { limit, refundAmount, refundReason } from '../fields.ts';
import { newPointOf, pointChangeOf } from './points.ts';
import { renderProposal } from './render-proposal.ts';

const Query = z.strictObject({ status: z.enum(PROPOSAL_STATUSES).optional(), limit });
const Refund = z.object({ seenVersion: z.int(), amount: refundAmount, reason: refundReason });

/** GET /operator/proposals: the newest first. */
export function listProposalsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { status, limit: count } = validate(Query, { ...req.query });
    res.json({ items: (await readProposals(deps.reads, status, count)).map(renderProposal) });
  };
}

/**
 * POST /operator/proposals/{proposalId}/confirm: does what it asks for. 403 for the one who proposed and whoever is not
 * independent of him; 409 STALE_REVISION where it is decided, too old, or what it is about has changed since.
 */
export function confirmProposalRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const proposal = await readProposal(deps.db, proposalIdOf(req));
    await confirm(deps, proposal, operatorOf(res));
    res.json(renderProposal(await readProposal(deps.db, proposal.proposalId)));
  };
}

/** POST /operator/proposals/{proposalId}/reject: nothing of it is done. Also by who proposed it. */
export function rejectProposalRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    res.json(renderProposal(await rejectProposal(deps.db, operatorOf(res), proposalIdOf(req))));
  };
}

async function confirm(deps: ApiDeps, proposal: Proposal, operator: Operator): Promise<void> {
  const { proposalId, subjectId, asked } = proposal;
  switch (proposal.kind) {
    case 'POINT': {
      const { storeId, ...point } = asked;
      await confirmNewPoint(deps.db, proposalId, newPointOf(String(storeId), bodyOf(point)), operator);
      return;
    }
    case 'FEE':
    case 'AUTHENTICATION':
      await confirmPointChange(deps.db, proposalId, pointChangeOf(subjectId, bodyOf(asked)), operator);
      return;
    case 'REFUND': {
      const { seenVersion, amount: amountKopecks, reason } = Refund.parse(asked);
      // By person: the second of two who confirm meets the decided proposal, not the first one's answer.
      const key = `${proposalId} ${operator.login}`;
      const bodySha256 = createHash('sha256').update(proposalId).digest('hex');
      const refund = { operator, paymentId: subjectId, seenVersion, key, bodySha256, amountKopecks, reason };
      await confirmRefund(deps, proposalId, refund);
    }
  }
}

/** As it was in the request that proposed it. */
const bodyOf = (asked: Proposal['asked']): unknown => parseJson(Buffer.from(JSON.stringify(asked)));

function proposalIdOf(req: Request): string {
  const id = z.uuid().safeParse(req.params['proposalId']);
  if (!id.success) throw new ApiError('NOT_FOUND');
  return id.data;
}

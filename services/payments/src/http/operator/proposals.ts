import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { BookException } from '@pay/contract/operator/exceptions.ts';
import { ProposalQuery, ProposedRefund, type ProposalPage } from '@pay/contract/operator/proposals.ts';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import { parseJson } from '@pay/shared/json/json-body.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Proposal } from '../../db/proposal/proposals.ts';
import type { ApiDeps } from '../../deps.ts';
import { confirmNewPoint, confirmPointChange } from '../../use-cases/merchant/manage-points.ts';
import { confirmBooking } from '../../use-cases/reconciliation/book-unknown-operation.ts';
import { confirmReturn } from '../../use-cases/reconciliation/return-unknown-order.ts';
import { rejectProposal } from '../../use-cases/proposal/propose.ts';
import { readProposal, readProposals } from '../../use-cases/proposal/read-proposals.ts';
import { confirmRefund } from '../../use-cases/refund/refund-for-operator.ts';
import { newPointOf, pointChangeOf } from './points.ts';
import { renderProposal } from './render-proposal.ts';

/** GET /operator/proposals: the newest or the oldest first. */
export function listProposalsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { status, kind, order, limit, pageToken } = validateQuery(ProposalQuery, req.url);
    const scope = ['operator-proposals', operatorOf(res).login, status, kind, order];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const { items, next } = await readProposals(deps.reads, { filter: { status, kind }, order, after }, limit);
    const page: RecordOf<typeof ProposalPage> = {
      items: items.map(renderProposal),
      nextPageToken: writePosition(deps.pageTokens, next, scope),
    };
    res.json(page);
  };
}

/**
 * POST /operator/proposals/{proposalId}/confirm: carries the proposal out. 403 for its proposer and for anyone not
 * independent of them; 409 STALE_REVISION if it is decided or too old, or its subject has changed since.
 */
export function confirmProposalRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const proposal = await readProposal(deps.db, pathId(req, 'proposalId'));
    await confirm(deps, proposal, operatorOf(res));
    res.json(renderProposal(await readProposal(deps.db, proposal.proposalId)));
  };
}

/** POST /operator/proposals/{proposalId}/reject: none of it is done. The proposer may reject it too. */
export function rejectProposalRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    res.json(renderProposal(await rejectProposal(deps.db, operatorOf(res), pathId(req, 'proposalId'))));
  };
}

async function confirm(deps: ApiDeps, proposal: Proposal, operator: Operator): Promise<void> {
  const { proposalId, subjectId, asked } = proposal;
  switch (proposal.kind) {
    case 'POINT': {
      const { storeId = '', ...point } = asked;
      await confirmNewPoint(deps.db, proposalId, newPointOf(storeId, bodyOf(point)), operator);
      return;
    }
    case 'FEE':
    case 'AUTHENTICATION':
      await confirmPointChange(deps.db, proposalId, pointChangeOf(subjectId, bodyOf(asked)), operator);
      return;
    case 'REFUND': {
      const { seenVersion, amount: amountKopecks, reason } = validate(ProposedRefund, bodyOf(asked));
      // A key for each person: the second of two who confirm finds the proposal decided, and does not get the first one's answer.
      const key = `${proposalId} ${operator.login}`;
      const bodySha256 = createHash('sha256').update(proposalId).digest('hex');
      const refund = { operator, paymentId: subjectId, seenVersion, key, bodySha256, amountKopecks, reason };
      await confirmRefund(deps, proposalId, refund);
      return;
    }
    case 'RETURN':
      await confirmReturn(deps, proposal, operator);
      return;
    case 'BOOK': {
      const { amount: _amount, ...booking } = asked;
      await confirmBooking(deps, proposal, validate(BookException, bodyOf(booking)), operator);
    }
  }
}

/** What a proposal keeps, as a request's body: the contract parses it again. */
const bodyOf = (asked: Proposal['asked']): unknown => parseJson(Buffer.from(JSON.stringify(asked)));

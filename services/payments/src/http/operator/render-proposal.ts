import type { Proposal } from '../../db/proposal/proposals.ts';

/** A proposal as operators see it. */
export function renderProposal(proposal: Proposal) {
  const { proposalId, kind, subjectId, asked, status, proposedBy, decidedBy } = proposal;
  return {
    proposalId,
    kind,
    subjectId,
    asked,
    status,
    proposedBy,
    decidedBy,
    decidedAt: proposal.decidedAt?.toISOString() ?? null,
    expiresAt: proposal.expiresAt.toISOString(),
    createdAt: proposal.createdAt.toISOString(),
  };
}

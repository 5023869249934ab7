import type { Proposal as ProposalRecord, Proposed } from '@pay/contract/operator/proposals.ts';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import type { Proposal } from '../../db/proposal/proposals.ts';

/** A proposal as operators see it. */
export function renderProposal(proposal: Proposal): ProposalRecord {
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

/** The 202 of a request that waits for a second person. */
export const renderProposed = (proposal: Proposal): RecordOf<typeof Proposed> => ({
  proposal: renderProposal(proposal),
});

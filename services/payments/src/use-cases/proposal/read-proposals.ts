import type { ProposalStatus } from '@pay/contract/operator/states.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { findProposal, listProposals, type Proposal } from '../../db/proposal/proposals.ts';

/** Proposals, newest first. */
export async function readProposals(
  reader: Reader,
  status: ProposalStatus | undefined,
  limit: number,
): Promise<Proposal[]> {
  return listProposals(reader, status, limit);
}

/** @throws ApiError NOT_FOUND */
export async function readProposal(reader: Reader, proposalId: string): Promise<Proposal> {
  const proposal = await findProposal(reader, proposalId);
  if (proposal === undefined) throw new ApiError('NOT_FOUND');
  return proposal;
}

import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import { findProposal, listProposals, type Proposal, type ProposalList } from '../../db/proposal/proposals.ts';

/** A page of proposals, and where the next one begins. */
export async function readProposals(
  reader: Reader,
  list: ProposalList,
  limit: number,
): Promise<{ readonly items: readonly Proposal[]; readonly next: ListPosition | undefined }> {
  const found = await listProposals(reader, list, limit + 1);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? undefined : { createdAt: last.createdAt, id: last.proposalId } };
}

/** @throws ApiError NOT_FOUND */
export async function readProposal(reader: Reader, proposalId: string): Promise<Proposal> {
  const proposal = await findProposal(reader, proposalId);
  if (proposal === undefined) throw new ApiError('NOT_FOUND');
  return proposal;
}

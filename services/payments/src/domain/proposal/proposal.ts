import type { ProposalStatus } from '@pay/contract/operator/states.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import type { Role } from '@pay/shared/operators/roles.ts';
import { isSecondPerson } from '@pay/shared/operators/second-person.ts';

type Proposal = {
  readonly status: ProposalStatus;
  readonly proposedBy: string;
  readonly proposerNotIndependentOf: readonly string[];
  readonly expiresAt: Date;
};

/** Why a proposal cannot be confirmed; undefined if it can. */
export function whyNotConfirm(proposal: Proposal, by: Operator, now: Date): 'decided' | 'same-person' | undefined {
  if (proposal.status !== 'PROPOSED' || proposal.expiresAt <= now) return 'decided';
  const first = { login: proposal.proposedBy, notIndependentOf: proposal.proposerNotIndependentOf };
  return isSecondPerson(first, by) ? undefined : 'same-person';
}

/** In kopecks: how much of one payment a person with the role may refund alone, and book for one partner or return on one day. */
export type RefundLimits = Readonly<Record<Role, bigint>>;

/** Whether a refund takes a second person. All refunds of the payment count, so a limit cannot be evaded in parts. */
export function needsSecondPerson(limits: RefundLimits, role: Role, refundedKopecks: bigint, amountKopecks: bigint): boolean {
  return refundedKopecks + amountKopecks > limits[role];
}

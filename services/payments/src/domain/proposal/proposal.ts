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

/** What a confirmation may meet; undefined: it may be confirmed. */
export function whyNotConfirm(proposal: Proposal, by: Operator, now: Date): 'decided' | 'same-person' | undefined {
  if (proposal.status !== 'PROPOSED' || proposal.expiresAt <= now) return 'decided';
  const first = { login: proposal.proposedBy, notIndependentOf: proposal.proposerNotIndependentOf };
  return isSecondPerson(first, by) ? undefined : 'same-person';
}

/** In kopecks: what one person of the role gives back of one payment, in all. */
export type RefundLimits = Readonly<Record<Role, bigint>>;

/** Whether giving back so much takes a second person. All refunds of the payment count: a limit is not met by halves. */
export function needsSecondPerson(
  limits: RefundLimits,
  role: Role,
  refundedKopecks: bigint,
  amountKopecks: bigint,
): boolean {
  return refundedKopecks + amountKopecks > limits[role];
}

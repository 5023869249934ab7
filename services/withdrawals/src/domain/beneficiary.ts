import type { BENEFICIARY_STATUSES } from '@pay/contract/operator/states.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { isSecondPerson } from '@pay/shared/operators/second-person.ts';

/** PROPOSED until a second person decides. Withdrawals can be requested and approved only to an ISSUED recipient; REVOKED is final. */
export type BeneficiaryStatus = (typeof BENEFICIARY_STATUSES)[number];

type Proposal = {
  readonly status: BeneficiaryStatus;
  readonly issuedBy: string;
  readonly issuerNotIndependentOf: readonly string[];
  readonly expiresAt: Date | null;
};

export type BeneficiaryDecision =
  | { readonly kind: 'move'; readonly to: BeneficiaryStatus }
  | { readonly kind: 'refuse'; readonly reason: 'decided' | 'expired' | 'same-person' };

/** A recipient is a destination of money, so confirming one takes a second person. Withdrawing a proposal does not. */
export function decideBeneficiary(proposal: Proposal, to: 'ISSUED' | 'REJECTED', by: Operator, now: Date): BeneficiaryDecision {
  if (proposal.status !== 'PROPOSED') return { kind: 'refuse', reason: 'decided' };
  if (to === 'REJECTED') return { kind: 'move', to };
  if (proposal.expiresAt !== null && proposal.expiresAt <= now) return { kind: 'refuse', reason: 'expired' };
  const first = { login: proposal.issuedBy, notIndependentOf: proposal.issuerNotIndependentOf };
  return isSecondPerson(first, by) ? { kind: 'move', to } : { kind: 'refuse', reason: 'same-person' };
}

import type { FUNDING_STATUSES } from '@pay/contract/operator/states.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { isSecondPerson } from '@pay/shared/operators/second-person.ts';

/** PROPOSED until a second person decides. Only a CONFIRMED funding changes the balance. */
export type FundingStatus = (typeof FUNDING_STATUSES)[number];

/** micro-USDT × micro-RUB per USDT is in 10⁻¹² RUB; dividing by 10¹⁰ gives kopecks. */
const MICRO_PRODUCT_A_KOPECK = 10_000_000_000n;

/**
 * Whether the RUB counterpart is the amount at that rate, to the kopeck. Both neighbours of the exact product are
 * accepted, because settlement documents round either way.
 */
export function isCounterpart(amountMicroUsdt: bigint, rateMicroRub: bigint, amountKopecks: bigint): boolean {
  const difference = amountKopecks * MICRO_PRODUCT_A_KOPECK - amountMicroUsdt * rateMicroRub;
  return difference > -MICRO_PRODUCT_A_KOPECK && difference < MICRO_PRODUCT_A_KOPECK;
}

export type FundingDecision =
  | { readonly kind: 'move'; readonly to: FundingStatus }
  | { readonly kind: 'refuse'; readonly reason: 'decided' | 'same-person' };

type Proposal = {
  readonly status: FundingStatus;
  readonly proposedBy: string;
  readonly proposerNotIndependentOf: readonly string[];
};

/** Confirming takes a different person from the proposer; withdrawing a proposal does not. */
export function decideFunding(funding: Proposal, to: 'CONFIRMED' | 'REJECTED', by: Operator): FundingDecision {
  if (funding.status !== 'PROPOSED') return { kind: 'refuse', reason: 'decided' };
  const first = { login: funding.proposedBy, notIndependentOf: funding.proposerNotIndependentOf };
  if (to === 'CONFIRMED' && !isSecondPerson(first, by)) return { kind: 'refuse', reason: 'same-person' };
  return { kind: 'move', to };
}

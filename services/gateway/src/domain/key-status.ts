import type { KeyStatus } from '@pay/contract/operator/states.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';

/** What to do about an operator's request to change a key. */
export type KeyDecision =
  | { readonly kind: 'move'; readonly to: KeyStatus }
  /** The key is already in that state. */
  | { readonly kind: 'repeat' }
  | { readonly kind: 'refuse'; readonly reason: 'same-operator' | 'revoked' };

type KeyFacts = { readonly status: KeyStatus; readonly registeredBy: string };

/** Whether this operator may activate the key. It takes a different operator from the one who registered it. */
export function decideActivation(key: KeyFacts, operator: OperatorLogin): KeyDecision {
  if (key.status === 'REVOKED') return { kind: 'refuse', reason: 'revoked' };
  if (key.registeredBy === operator) return { kind: 'refuse', reason: 'same-operator' };
  return key.status === 'ACTIVE' ? { kind: 'repeat' } : { kind: 'move', to: 'ACTIVE' };
}

/** Revocation needs no second person: it must be quick. */
export function decideRevocation(key: KeyFacts): KeyDecision {
  return key.status === 'REVOKED' ? { kind: 'repeat' } : { kind: 'move', to: 'REVOKED' };
}

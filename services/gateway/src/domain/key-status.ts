import type { KeyStatus } from '@pay/contract/operator/states.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';

/** What comes of an operator's command about a key. */
export type KeyDecision =
  | { readonly kind: 'move'; readonly to: KeyStatus }
  /** It is so already. */
  | { readonly kind: 'repeat' }
  | { readonly kind: 'refuse'; readonly reason: 'same-operator' | 'revoked' };

type KeyFacts = { readonly status: KeyStatus; readonly registeredBy: string };

/** May this operator put the key into use? Only another one than who registered it. Issue "Partners and keys". */
export function decideActivation(key: KeyFacts, operator: OperatorLogin): KeyDecision {
  if (key.status === 'REVOKED') return { kind: 'refuse', reason: 'revoked' };
  if (key.registeredBy === operator) return { kind: 'refuse', reason: 'same-operator' };
  return key.status === 'ACTIVE' ? { kind: 'repeat' } : { kind: 'move', to: 'ACTIVE' };
}

/** Revoking needs no second person: it must be quick. */
export function decideRevocation(key: KeyFacts): KeyDecision {
  return key.status === 'REVOKED' ? { kind: 'repeat' } : { kind: 'move', to: 'REVOKED' };
}

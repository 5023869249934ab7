import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** See spec/service-contract#limits/safe-repeat-window-of-the-callback-secret. */
export const REPLAY_WINDOW_MS = 5 * 60_000;

/** A call for a secret: its Idempotency-Key and the hash of its body. */
export type SecretRequest = { readonly key: string; readonly bodySha256: string };

/** What is known of the newest secret that was issued. */
type IssuedKey = { readonly idempotencyKey: string; readonly bodySha256: string; readonly replayUntil: Date };

export type SecretDecision = 'issue' | 'replay' | 'refuse-reused-key' | 'refuse-already-issued';

/**
 * May this call have a secret? See spec/decisions#callback-secret: once, repeatable for five minutes, again only in a
 * rotation.
 */
export function decideIssue(
  newest: IssuedKey | undefined,
  request: SecretRequest,
  rotationIsOpen: boolean,
  now: Date,
): SecretDecision {
  if (newest === undefined) return 'issue';
  if (newest.idempotencyKey === request.key) {
    if (newest.bodySha256 !== request.bodySha256) return 'refuse-reused-key';
    return now < newest.replayUntil ? 'replay' : 'refuse-already-issued';
  }
  return rotationIsOpen ? 'issue' : 'refuse-already-issued';
}

/** What the encrypted secret is bound to: moved to another row, it does not open. */
export const secretContext = (partnerId: PartnerId, keyId: string): string => `callback-secret:${partnerId}:${keyId}`;

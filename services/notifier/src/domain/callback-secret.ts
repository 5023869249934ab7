import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** See spec/service-contract#limits/safe-repeat-window-of-the-callback-secret. */
export const REPLAY_WINDOW_MS = 5 * 60_000;

/** A request for a secret: its Idempotency-Key and the hash of its body. */
export type SecretRequest = { readonly key: string; readonly bodySha256: string };

/** The known facts about the newest secret. */
type IssuedKey = { readonly idempotencyKey: string; readonly bodySha256: string; readonly replayUntil: Date };

export type SecretDecision = 'issue' | 'replay' | 'refuse-reused-key' | 'refuse-already-issued';

/**
 * Whether this call may get a secret: once, repeatable for five minutes, and again only in a rotation. See
 * spec/decisions#callback-secret.
 */
export function decideIssue(newest: IssuedKey | undefined, request: SecretRequest, rotationIsOpen: boolean, now: Date): SecretDecision {
  if (newest === undefined) return 'issue';
  if (newest.idempotencyKey === request.key) {
    if (newest.bodySha256 !== request.bodySha256) return 'refuse-reused-key';
    return now < newest.replayUntil ? 'replay' : 'refuse-already-issued';
  }
  return rotationIsOpen ? 'issue' : 'refuse-already-issued';
}

/** What the ciphertext is bound to: moved to another row, it cannot be decrypted. */
export const secretContext = (partnerId: PartnerId, keyId: string): string => `callback-secret:${partnerId}:${keyId}`;

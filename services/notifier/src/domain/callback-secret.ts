import { randomBytes } from 'node:crypto';
import type { CallbackKeyRow } from '../db/callback-keys.ts';

/** Spec: Limits, "Safe-repeat window of the callback secret". */
export const REPLAY_WINDOW_MS = 5 * 60_000;

export type SecretRequest = { readonly key: string; readonly bodySha256: string };

export type SecretDecision = 'issue' | 'replay' | 'refuse-reused-key' | 'refuse-already-issued';

/** May this call have a secret? Decisions "secret": once, repeatable for five minutes, again only in a rotation. */
export function decideIssue(
  newest: Pick<CallbackKeyRow, 'idempotencyKey' | 'bodySha256' | 'replayUntil'> | undefined,
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

/** A new secret and its name. The name travels in every callback and says nothing about the secret. */
export function newSecret(): { keyId: string; secret: Buffer } {
  return { keyId: `k_${randomBytes(9).toString('base64url')}`, secret: randomBytes(32) };
}

/** What the encrypted secret is bound to: moved to another row, it does not open. */
export const secretContext = (partnerId: string, keyId: string): string => `callback-secret:${partnerId}:${keyId}`;

import type { KeyObject } from 'node:crypto';
import { canonicalString, canonicalStringAsSent, type SignedParts } from './canonical-request.ts';
import { verifyText } from './ed25519.ts';

/**
 * Whether the key signed this request: over the re-encoded query, or over the pairs exactly as sent.
 * See spec/decisions#canonical-query.
 */
export function requestIsSigned(publicKey: KeyObject, parts: SignedParts, signature: Buffer): boolean {
  if (verifyText(publicKey, canonicalString(parts), signature)) return true;
  const asSent = canonicalStringAsSent(parts);
  return asSent !== undefined && verifyText(publicKey, asSent, signature);
}

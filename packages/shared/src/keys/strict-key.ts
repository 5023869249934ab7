import { Point } from '@noble/ed25519';

/** Why a public key is refused at registration. */
export type KeyFault = 'not a canonical point' | 'small order' | 'mixed order';

/**
 * Checks a public key before its first use: canonically encoded, not of small order, torsion free. Under other keys,
 * many libraries, and Node with OpenSSL before 3.5, accept signatures that nobody made. Undefined if the key is safe.
 */
export function keyFault(publicKey: Buffer): KeyFault | undefined {
  let point: Point;
  try {
    point = Point.fromBytes(new Uint8Array(publicKey), false);
  } catch {
    return 'not a canonical point';
  }
  if (point.isSmallOrder()) return 'small order';
  return point.isTorsionFree() ? undefined : 'mixed order';
}

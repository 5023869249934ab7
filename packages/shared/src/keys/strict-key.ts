import { Point } from '@noble/ed25519';

/** Why a public key is refused at registration. */
export type KeyFault = 'not a canonical point' | 'small order' | 'mixed order';

/**
 * Checks a public key before it is ever used: decoded canonically, not of small order, torsion free. Under keys that fail
 * this, signatures that nobody made verify in many libraries, and in Node with OpenSSL before 3.5. Undefined when the key
 * is good.
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

import { createSigner, createVerifier } from 'fast-jwt';
import { z } from 'zod';
import type { PartnerId } from '../identities/identities.ts';
import { wallClockSeconds } from '../time/wall-clock.ts';

/** Longer than any hop takes, and short enough to limit misuse. */
const LIFETIME_MS = 30_000;
const CLOCK_TOLERANCE_MS = 5_000;
/** How many verified tokens are remembered until they expire: a caller uses one for many requests. */
const REMEMBERED_MAX = 1_000;

/** Creates a token that says: this request is `partnerId`'s, and is meant for `audience`. */
export type InternalTokenSigner = (partnerId: PartnerId) => string;
/** The partner of a valid token; undefined for anything else. */
export type InternalTokenVerifier = (token: string) => PartnerId | undefined;

/**
 * Signs short-lived tokens (JWT, HS256) for one service. The key belongs to that service: it can verify tokens meant
 * for it, but cannot create any for another.
 */
export function internalTokenSigner(issuer: string, audience: string, key: Buffer): InternalTokenSigner {
  const sign = createSigner({ key, algorithm: 'HS256', iss: issuer, aud: audience, expiresIn: LIFETIME_MS });
  return (partnerId) => sign({ sub: partnerId });
}

/**
 * Accepts tokens for `audience` only: correct key, HS256, not expired. `previous`: another key that is still valid
 * during a rotation (docs/operate/runbooks/keys.md).
 */
export function internalTokenVerifier(audience: string, key: Buffer, previous?: Buffer): InternalTokenVerifier {
  const verifiers = [key, ...(previous === undefined ? [] : [previous])].map((one) => verifierOf(audience, one));
  return (token) => {
    for (const verify of verifiers) {
      const subject = verify(token);
      if (subject !== undefined) return subject;
    }
    return undefined;
  };
}

function verifierOf(audience: string, key: Buffer): InternalTokenVerifier {
  const verify: (token: string) => unknown = createVerifier({
    key,
    algorithms: ['HS256'],
    allowedAud: audience,
    requiredClaims: ['sub', 'exp', 'iss', 'aud'],
    clockTolerance: CLOCK_TOLERANCE_MS,
  });
  // fast-jwt has a memory of its own, but hashes the token to look there: as much work as to verify it.
  const remembered = new Map<string, Claims>();
  return (token) => {
    const known = remembered.get(token);
    if (known !== undefined && wallClockSeconds() < known.exp) return known.sub;
    try {
      const { data: claims } = Claims.safeParse(verify(token));
      if (claims === undefined) return undefined;
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(token, claims);
      return claims.sub;
    } catch {
      return undefined;
    }
  };
}

/** Of a token; `exp` in seconds. */
const Claims = z.object({ sub: z.string().min(1), exp: z.number() });
type Claims = z.output<typeof Claims>;

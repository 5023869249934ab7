import { createHash, createPublicKey, randomUUID, sign, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { fingerprintOf, publicKeyOf, parseOpenSshKey, renderOpenSshKey, verifyBytes } from '@pay/signing/ed25519.ts';
import type { OperatorLogin } from '../identities/identities.ts';
import { wallClockSeconds } from '../time/wall-clock.ts';
import { ROLES, type Role } from './roles.ts';

/** The signed-in person, as the console vouches for them to a service. */
export type Operator = {
  /** The name in every audit log. */
  readonly login: OperatorLogin;
  readonly role: Role;
  readonly sessionId: string;
  /**
   * Logins of those who created, re-enabled, promoted or reset this account within a day: none of them may be their
   * second person.
   */
  readonly notIndependentOf: readonly OperatorLogin[];
};

/** The only request that an identity is valid for. */
export type OperatorRequest = {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  /** Lowercase hex; the hash of the empty text if there is no body. */
  readonly bodySha256: string;
};

/** Longer than any hop takes. Whoever copies an identity could repeat its one request for this long, and is refused. */
const LIFETIME_SECONDS = 30;
const CLOCK_TOLERANCE_SECONDS = 5;
const ISSUER = 'console';
const TYPE = 'operator+jwt';

const Header = z.strictObject({ alg: z.literal('EdDSA'), typ: z.literal(TYPE), kid: z.string().max(64) });
const Claims = z.strictObject({
  iss: z.literal(ISSUER),
  aud: z.string(),
  sub: z.string().min(1).max(254),
  role: z.enum(ROLES),
  sid: z.string().min(1),
  nio: z.array(z.string()),
  req: z.string(),
  iat: z.int(),
  exp: z.int(),
  jti: z.uuid(),
});

/** Creates the identity of one operator for one request to `audience`. */
export type OperatorIdentitySigner = (audience: string, operator: Operator, request: OperatorRequest) => string;
/** A valid identity. Whoever changes something uses it up first (`use-identity.ts`). */
export type VerifiedIdentity = {
  readonly operator: Operator;
  readonly identityId: string;
  /** When it is refused as old, in seconds since 1970. */
  readonly endsAtSeconds: number;
};
/** What a valid identity says; undefined for anything else. */
export type OperatorIdentityVerifier = (token: string, request: OperatorRequest) => VerifiedIdentity | undefined;

/**
 * Signs identities (JWT, EdDSA of RFC 8037) with the console's private key. Services have the public key: whoever can
 * verify an operator cannot forge one.
 */
export function operatorIdentitySigner(privateKey: KeyObject): OperatorIdentitySigner {
  const header = { alg: 'EdDSA', typ: TYPE, kid: fingerprintOf(renderOpenSshKey(createPublicKey(privateKey))) };
  return (audience, operator, request) => {
    const iat = wallClockSeconds();
    const claims: z.input<typeof Claims> = {
      iss: ISSUER,
      aud: audience,
      sub: operator.login,
      role: operator.role,
      sid: operator.sessionId,
      nio: [...operator.notIndependentOf],
      req: digestOf(request),
      iat,
      exp: iat + LIFETIME_SECONDS,
      jti: randomUUID(),
    };
    const text = `${encode(header)}.${encode(claims)}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  };
}

/**
 * Accepts identities for `audience` and exactly this request: signed by a known key, and not expired.
 * @param publicKeys OpenSSH lines; several during a key rotation
 */
export function operatorIdentityVerifier(audience: string, publicKeys: readonly string[]): OperatorIdentityVerifier {
  const keys = new Map(publicKeys.map((line) => [fingerprintOf(line), publicKeyOf(parseOpenSshKey(line) ?? unusable())]));
  return (token, request) => {
    const claims = readClaims(token, keys);
    if (claims?.aud !== audience || claims.req !== digestOf(request)) return undefined;
    const now = wallClockSeconds();
    if (claims.iat > now + CLOCK_TOLERANCE_SECONDS || claims.exp < now - CLOCK_TOLERANCE_SECONDS) return undefined;
    if (claims.exp - claims.iat > LIFETIME_SECONDS) return undefined;
    return {
      operator: { login: claims.sub, role: claims.role, sessionId: claims.sid, notIndependentOf: claims.nio },
      identityId: claims.jti,
      endsAtSeconds: claims.exp + CLOCK_TOLERANCE_SECONDS,
    };
  };
}

function readClaims(token: string, keys: ReadonlyMap<string, KeyObject>): z.output<typeof Claims> | undefined {
  const [head = '', body = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0) return undefined;
  const header = Header.safeParse(decode(head));
  const key = header.success ? keys.get(header.data.kid) : undefined;
  if (key === undefined) return undefined;
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.toString('base64url') !== signature) return undefined;
  if (!verifyBytes(key, Buffer.from(`${head}.${body}`), bytes)) return undefined;
  return Claims.safeParse(decode(body)).data;
}

function digestOf({ method, target, bodySha256 }: OperatorRequest): string {
  return createHash('sha256').update(`${method}\n${target}\n${bodySha256}`).digest('base64url');
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function unusable(): never {
  throw new Error('not an OpenSSH line of an Ed25519 key');
}

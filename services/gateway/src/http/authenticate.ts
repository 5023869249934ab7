import type { IncomingMessage } from 'node:http';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';
import { parseJson } from '@pay/shared/json/json-body.ts';
import { canonicalString, type SignedParts } from '@pay/signing/canonical-request.ts';
import { parseSignature } from '@pay/signing/ed25519.ts';
import { requestIsSigned } from '@pay/signing/request-signature.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import { Counter } from 'prom-client';
import { checkAuthorization, isWithinClockWindow, type Authorization } from '../domain/authorization.ts';
import type { FailedAuthentications, Sender } from '../limits/failed-authentications.ts';
import type { TokenBuckets } from '../limits/token-buckets.ts';
import type { NonceStore } from '../nonces/nonce-store.ts';
import type { Lookup, Partner, PartnerDirectory } from '../partners/partner-directory.ts';
import type { CallRecord } from './call-record.ts';
import { readBody } from './read-body.ts';
import { readShape, type RequestShape } from './request-shape.ts';
import { AuthenticationError } from './unauthorized.ts';

type Parts = {
  readonly directory: PartnerDirectory;
  readonly nonces: NonceStore;
  readonly buckets: TokenBuckets;
  readonly failures: FailedAuthentications;
};

export type Authenticator = {
  /**
   * What was sent, and by whom. Each step records what it learned in `call`.
   * @throws AuthenticationError 401; ApiError 400, 413, 415, 429, 503
   */
  authenticate(req: IncomingMessage, call: CallRecord): Promise<Authenticated>;
};

type Authenticated = { readonly shape: RequestShape; readonly partner: Partner; readonly body: Buffer };

const signatureFailures = new Counter({
  name: 'signature_failures_total',
  help: 'Requests that were not authenticated, by reason.',
  labelNames: ['reason'],
  registers: [registry],
});

export function createAuthenticator({ directory, nonces, buckets, failures }: Parts): Authenticator {
  /** Checks partner, key and clock. None of them needs the body, so none of it is read. */
  function identify(shape: RequestShape, call: CallRecord): { authorization: Authorization; known: Active } {
    const authorization = readAuthorization(shape.authorization);
    const lookup = directory.find(authorization.partnerID, authorization.key);
    const serverTimeMs = directory.now();
    if (lookup.kind === 'unknown') throw new AuthenticationError('unknown_partner_or_key', { serverTimeMs });
    call.partner = authorization.partnerID;
    call.fingerprint = lookup.fingerprint;
    if (lookup.kind === 'not-active') throw new AuthenticationError('key_not_active', { serverTimeMs });
    if (!isWithinClockWindow(authorization.timestamp, serverTimeMs)) {
      throw new AuthenticationError('clock_skew', { serverTimeMs, hint: 'timestamp is off by more than 300 seconds' });
    }
    return { authorization, known: lookup };
  }

  async function authenticate(req: IncomingMessage, call: CallRecord): Promise<Authenticated> {
    const shape = readShape(req);
    const { authorization, known } = identify(shape, call);
    const { partner } = known;
    const body = await readBody(req);
    const { timestamp, nonce } = authorization;
    const { method, target, idempotencyKey } = shape;
    const parts: SignedParts = { timestamp, nonce, method, target, idempotencyKey, body };
    const signature = parseSignature(authorization.sign);
    if (signature === undefined || !requestIsSigned(known.publicKey, parts, signature)) {
      const facts = { serverTimeMs: directory.now(), canonicalString: canonicalString(parts) };
      throw new AuthenticationError('signature_mismatch', facts);
    }
    call.isVerified = true;
    const retryAfterSeconds = await buckets.take(partner);
    if (retryAfterSeconds !== undefined) throw new ApiError('RATE_LIMITED', { retryAfterSeconds });
    if (!(await nonces.claim(partner.partnerId, nonce))) {
      buckets.giveBack(partner);
      throw new AuthenticationError('nonce_reused', { serverTimeMs: directory.now() });
    }
    return { shape, partner, body };
  }

  /** Counts a failure against the responsible sender. Above the limit the sender gets 429 instead of the reason. */
  function refusalOf(error: AuthenticationError | ApiError, call: CallRecord): Error {
    const retryAfterSeconds = failures.failed(senderOf(error, call));
    if (retryAfterSeconds === undefined) return error;
    call.isFlood = true;
    return new ApiError('RATE_LIMITED', { retryAfterSeconds });
  }

  return {
    async authenticate(req, call) {
      try {
        return await authenticate(req, call);
      } catch (error) {
        if (error instanceof AuthenticationError) {
          call.cause = error.refusalCause;
          signatureFailures.inc({ reason: error.refusalCause });
          throw refusalOf(error, call);
        }
        if (error instanceof ApiError && UNREADABLE.has(error.code)) throw refusalOf(error, call);
        throw error;
      }
    },
  };
}

/** What can be wrong with a request before anybody knows whether it is the partner's. */
const UNREADABLE: ReadonlySet<string> = new Set<ErrorCode>(['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']);

function senderOf(error: AuthenticationError | ApiError, { address, partner, fingerprint }: CallRecord): Sender {
  if (partner !== undefined && fingerprint !== undefined) return { kind: 'key', partnerId: partner, fingerprint };
  const isUnknown = error instanceof AuthenticationError && error.refusalCause === 'unknown_partner_or_key';
  return { kind: isUnknown ? 'unknown' : 'unreadable', address };
}

type Active = Extract<Lookup, { kind: 'active' }>;

function readAuthorization(header: string | undefined): Authorization {
  if (header === undefined) {
    throw new AuthenticationError('malformed_authorization', { hint: 'exactly one Authorization header is required' });
  }
  let value: unknown;
  try {
    value = parseJson(Buffer.from(header, 'latin1'));
  } catch {
    throw new AuthenticationError('malformed_authorization', {
      hint: 'Authorization must be JSON without duplicate names',
    });
  }
  const checked = checkAuthorization(value);
  if ('fault' in checked) throw new AuthenticationError('malformed_authorization', { hint: `Authorization ${checked.fault}` });
  return checked;
}

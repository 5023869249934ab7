import type { IncomingMessage } from 'node:http';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { parseJson } from '@pay/shared/http/json-body.ts';
import { canonicalString, type SignedParts } from '@pay/shared/signing/canonical-request.ts';
import { parseSignature } from '@pay/shared/signing/ed25519.ts';
import { requestIsSigned } from '@pay/shared/signing/request-signature.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import { Counter } from 'prom-client';
import { checkAuthorization, isWithinClockWindow, type Authorization } from '../domain/authorization.ts';
import type { FailedAuthentications } from '../limits/failed-authentications.ts';
import type { TokenBuckets } from '../limits/token-buckets.ts';
import type { NonceStore } from '../nonces/nonce-store.ts';
import type { Lookup, Partner, PartnerDirectory } from '../partners/partner-directory.ts';
import type { CallRecord } from './call-record.ts';
import { readBody } from './read-body.ts';
import type { RequestShape } from './request-shape.ts';
import { AuthenticationError } from './unauthorized.ts';

type Parts = {
  readonly directory: PartnerDirectory;
  readonly nonces: NonceStore;
  readonly buckets: TokenBuckets;
  readonly failures: FailedAuthentications;
};

export type Authenticator = {
  /**
   * Who sent this, and its body. Every step leaves what it learned in `call`.
   * @throws AuthenticationError 401; ApiError 413, 429, 503
   */
  authenticate(
    req: IncomingMessage,
    shape: RequestShape,
    call: CallRecord,
  ): Promise<{ readonly partner: Partner; readonly body: Buffer }>;
};

const signatureFailures = new Counter({
  name: 'signature_failures_total',
  help: 'Requests that were not authenticated, by reason.',
  labelNames: ['reason'],
  registers: [registry],
});

export function createAuthenticator({ directory, nonces, buckets, failures }: Parts): Authenticator {
  /** Partner and key, clock. Nothing of the body is needed for these, and none is read. */
  function identify(shape: RequestShape, call: CallRecord): { authorization: Authorization; known: Active } {
    const authorization = readAuthorization(shape.authorization);
    const lookup = directory.find(authorization.partnerID, authorization.key);
    const serverTimeMs = directory.now();
    const retryAfterSeconds = failures.retryAfterSeconds(
      call.address,
      lookup.kind === 'unknown' ? undefined : authorization.partnerID,
    );
    if (retryAfterSeconds !== undefined) {
      call.isFlood = true;
      throw new ApiError('RATE_LIMITED', { retryAfterSeconds });
    }
    if (lookup.kind === 'unknown') throw new AuthenticationError('unknown_partner_or_key', { serverTimeMs });
    call.partner = authorization.partnerID;
    call.fingerprint = lookup.fingerprint;
    if (lookup.kind === 'not-active') throw new AuthenticationError('key_not_active', { serverTimeMs });
    if (!isWithinClockWindow(authorization.timestamp, serverTimeMs)) {
      throw new AuthenticationError('clock_skew', { serverTimeMs, hint: 'timestamp is off by more than 300 seconds' });
    }
    return { authorization, known: lookup };
  }

  async function authenticate(
    req: IncomingMessage,
    shape: RequestShape,
    call: CallRecord,
  ): Promise<{ partner: Partner; body: Buffer }> {
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
    const retryAfterSeconds = await buckets.take(partner);
    if (retryAfterSeconds !== undefined) throw new ApiError('RATE_LIMITED', { retryAfterSeconds });
    if (!(await nonces.claim(partner.partnerId, nonce))) {
      buckets.giveBack(partner);
      throw new AuthenticationError('nonce_reused', { serverTimeMs: directory.now() });
    }
    return { partner, body };
  }

  return {
    async authenticate(req, shape, call) {
      try {
        const authenticated = await authenticate(req, shape, call);
        failures.succeeded(call.address, authenticated.partner.partnerId);
        return authenticated;
      } catch (error) {
        if (error instanceof AuthenticationError) {
          call.cause = error.refusalCause;
          failures.failed(call.address, call.partner);
          signatureFailures.inc({ reason: error.refusalCause });
        }
        throw error;
      }
    },
  };
}

type Active = Extract<Lookup, { kind: 'active' }>;

function readAuthorization(header: string | undefined): Authorization {
  if (header === undefined) {
    throw new AuthenticationError('malformed_authorization', { hint: 'exactly one Authorization header is needed' });
  }
  let value: unknown;
  try {
    value = parseJson(Buffer.from(header, 'latin1'));
  } catch {
    throw new AuthenticationError('malformed_authorization', {
      hint: 'Authorization must be JSON without repeated names',
    });
  }
  const checked = checkAuthorization(value);
  if ('fault' in checked)
    throw new AuthenticationError('malformed_authorization', { hint: `Authorization ${checked.fault}` });
  return checked;
}

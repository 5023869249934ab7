import { ApiError, type FieldError } from '@pay/shared/errors/api-error.ts';
import type { RefusalCause } from '../domain/authorization.ts';

type Facts = {
  /** What exactly is wrong, in a sentence. */
  readonly hint?: string | undefined;
  readonly serverTimeMs?: number | undefined;
  /** Set only if partner and key match: otherwise it would tell a stranger how somebody's request was read. */
  readonly canonicalString?: string | undefined;
};

/** The request is not authenticated. How much the partner learns about the cause depends on the environment. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  readonly refusalCause: RefusalCause;
  readonly facts: Facts;
  constructor(refusalCause: RefusalCause, facts: Facts = {}) {
    super(refusalCause);
    this.refusalCause = refusalCause;
    this.facts = facts;
  }
}

/**
 * 401. LIVE: only `unauthorized`. TEST: the cause, the server's time and the canonical string. See
 * spec/decisions#details-of-a-401.
 */
export function renderUnauthorized(error: AuthenticationError, environment: 'TEST' | 'LIVE'): ApiError {
  if (environment === 'LIVE') return new ApiError('UNAUTHORIZED');
  const { hint, serverTimeMs, canonicalString } = error.facts;
  const details: FieldError[] = [{ field: 'cause', message: error.refusalCause }];
  if (hint !== undefined) details.push({ field: 'hint', message: hint });
  if (serverTimeMs !== undefined) details.push({ field: 'serverTime', message: new Date(serverTimeMs).toISOString() });
  if (canonicalString !== undefined) details.push({ field: 'canonicalString', message: canonicalString });
  return new ApiError('UNAUTHORIZED', { details });
}

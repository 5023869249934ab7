import { ApiError } from '@pay/shared/errors/api-error.ts';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { currentTraceparent } from '@pay/shared/telemetry/tracing.ts';

/** The services with an operator API that the console speaks to. */
export const UPSTREAMS = ['gateway', 'payments', 'bindings', 'withdrawals', 'notifier'] as const;
export type Upstream = (typeof UPSTREAMS)[number];

/** What a service answered: its JSON as it was written, so that no amount becomes a number on the way. */
export type UpstreamAnswer = { readonly status: number; readonly text: string };

export type OperatorCall = {
  readonly method: string;
  /** Below `/operator`, with its query. */
  readonly path: string;
  /** Who acts: stands in the service's own audit trail. */
  readonly login: string;
  readonly body?: Buffer | undefined;
};

/** Calls the operator API of one service. */
export type OperatorApi = (call: OperatorCall) => Promise<UpstreamAnswer>;

/** Longer than a service's own deadlines: it decides, not this. */
const TIMEOUT_MS = 10_000;

/**
 * The operator API of a service: a token for it alone, made for each call, that says who acts.
 * @throws ApiError 503 where it does not answer, or does not take our token: nobody knows then whether it was done
 */
export function operatorApi(upstream: Upstream, url: string, tokenKey: Buffer): OperatorApi {
  const sign = internalTokenSigner('console', `${upstream}-operator`, tokenKey);
  return async ({ method, path, login, body }) => {
    const [requestId, traceparent] = [currentRequestId(), currentTraceparent()];
    const unavailable = () => new ApiError('SERVICE_UNAVAILABLE', { text: `${upstream} does not answer` });
    const response = await fetch(`${url}/operator${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'X-Internal-Token': sign(login),
        ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
        ...(traceparent === undefined ? {} : { traceparent }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    }).catch(() => {
      throw unavailable();
    });
    const text = await response.text();
    // Its 401 is about our token: passed on, it would sign the operator out.
    if (response.status === 401) throw unavailable();
    return { status: response.status, text };
  };
}

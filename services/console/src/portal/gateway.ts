import { ApiError } from '@pay/shared/errors/api-error.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { currentTraceparent } from '@pay/shared/telemetry/tracing.ts';
import { noAnswer } from '../no-answer.ts';

/** The gateway's answer, exactly as it was sent. */
export type GatewayAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export type GatewayCall = {
  readonly method: string;
  /** Below `/portal`, with its query. */
  readonly path: string;
  /** The token of the browser's session: the only thing that decides for whom the call is. */
  readonly token?: string | undefined;
  /** The partner that the page shows: the gateway refuses the call unless it is the session's. */
  readonly shown?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** JSON. */
  readonly body?: Uint8Array | undefined;
};

/** Calls the gateway for a browser. @throws ApiError 404 for a path that leads elsewhere; 503, as `noAnswer` says */
export type PortalGateway = (call: GatewayCall) => Promise<GatewayAnswer>;

/** Longer than the gateway waits for a service: it decides, not this timeout. */
const TIMEOUT_MS = 17_000;
const PASSED_ON = ['content-type', 'content-disposition', 'retry-after', 'idempotency-replayed'] as const;

export function gatewayOfPortal(url: string): PortalGateway {
  return async ({ method, path, token, shown, idempotencyKey, body }) => {
    const wanted = `/portal${path}`;
    const target = new URL(wanted, url);
    // A URL resolves `..` and escapes by itself: what is not the same afterwards leads somewhere else on that port.
    if (`${target.pathname}${target.search}` !== wanted) throw new ApiError('NOT_FOUND');
    const [requestId, traceparent] = [currentRequestId(), currentTraceparent()];
    const response = await fetch(target, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(token === undefined ? {} : { 'X-Portal-Session': token }),
        ...(shown === undefined ? {} : { 'X-Portal-Partner': shown }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
        ...(traceparent === undefined ? {} : { traceparent }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    }).catch((error: unknown) => {
      throw noAnswer(method, error);
    });
    const headers = PASSED_ON.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const bytes = await response.arrayBuffer().catch((error: unknown) => {
      throw noAnswer(method, error);
    });
    return { status: response.status, headers: Object.fromEntries(headers), body: Buffer.from(bytes) };
  };
}

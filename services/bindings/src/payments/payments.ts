import { Pool } from 'undici';
import { z } from 'zod';
import { createBreaker } from '@pay/shared/breaker/breaker.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { upstreamDuration } from '@pay/shared/telemetry/metrics.ts';
import { traceHeaders } from '@pay/shared/telemetry/tracing.ts';
import { FINAL_CHARGE_STATUSES, OPEN_CHARGE_STATUSES, type ChargeStatus } from '../domain/charge-status.ts';

/** What payments is asked: one off-session charge. Repeating it is safe, it is one payment by its id. */
export type ChargeRequest = {
  readonly paymentId: string;
  readonly partnerId: string;
  readonly bindingId: string;
  readonly merchantOrderId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
};

/**
 * What payments said. `refused`: it has no such payment and will make none of this. `route-down`: this call stored
 * nothing. `unknown`: anything may have happened, the same call tells later.
 */
export type ChargeAnswer =
  | { readonly kind: 'taken'; readonly status: ChargeStatus }
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'route-down' }
  | { readonly kind: 'unknown' };

/** The payments service, in one or several replicas. */
export type Payments = {
  /** Never throws: whatever goes wrong is `unknown`. Takes at most `CALL_MS`. */
  charge(request: ChargeRequest): Promise<ChargeAnswer>;
  close(): Promise<void>;
};

type Options = { readonly urls: readonly string[]; readonly tokenKey: Buffer; readonly log: Log };

/** All of a call. Payments asks the bank meanwhile; the gateway waits 15 s for us. */
export const CALL_MS = 10_000;
const CONNECT_MS = 1_000;
/** Enough for what two cores charge at once. */
const CONNECTIONS_PER_REPLICA = 32;
/** Shorter than a service keeps an idle connection (65 s), so that none is closed under a request. */
const KEEP_ALIVE_MS = 30_000;

const Taken = z.object({ status: z.enum([...OPEN_CHARGE_STATUSES, ...FINAL_CHARGE_STATUSES]) });
const Refusal = z.object({
  code: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
/** Refusals after which there is no such payment, and never will be one of this request. */
const REFUSALS = ['NOT_FOUND', 'DUPLICATE_ORDER', 'VALIDATION_FAILED'] as const;

export function createPayments({ urls, tokenKey, log }: Options): Payments {
  const tokenFor = internalTokenSigner('bindings', 'payments', tokenKey);
  const breaker = createBreaker({ name: 'payments' });
  const pools = urls.map(
    (url) =>
      new Pool(url, {
        connections: CONNECTIONS_PER_REPLICA,
        connect: { timeout: CONNECT_MS },
        headersTimeout: CALL_MS,
        bodyTimeout: CALL_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
      }),
  );
  let turn = 0;

  /** A replica that does not answer is followed by the next: the call may be repeated. */
  async function ask(request: ChargeRequest): Promise<ChargeAnswer> {
    const signal = AbortSignal.timeout(CALL_MS);
    turn = (turn + 1) % pools.length;
    let failure: unknown;
    for (const pool of [...pools.slice(turn), ...pools.slice(0, turn)]) {
      try {
        return await askReplica(pool, request, tokenFor(request.partnerId), signal);
      } catch (error) {
        failure = error;
        if (signal.aborted) break;
      }
    }
    throw failure;
  }

  return {
    async charge(request) {
      const startedAt = performance.now();
      let answer: ChargeAnswer = { kind: 'unknown' };
      try {
        answer = await breaker.run(() => ask(request));
      } catch (err) {
        log.warn('payments did not take a charge, it will be asked again', { err, paymentId: request.paymentId });
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      upstreamDuration.observe({ target: 'payments', operation: 'charge', result: answer.kind }, seconds);
      return answer;
    },
    async close() {
      breaker.close();
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

async function askReplica(
  pool: Pool,
  request: ChargeRequest,
  token: string,
  signal: AbortSignal,
): Promise<ChargeAnswer> {
  const { paymentId, bindingId, merchantOrderId, description } = request;
  const amountKopecks = request.amountKopecks.toString();
  const requestId = currentRequestId();
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/internal/charges',
    headers: {
      'x-internal-token': token,
      'content-type': 'application/json',
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      ...traceHeaders(),
    },
    body: JSON.stringify({ paymentId, bindingId, merchantOrderId, amountKopecks, description }),
    signal,
  });
  const answer = await body.json();
  if (statusCode === 200) return { kind: 'taken', status: Taken.parse(answer).status };
  const { code, details } = Refusal.parse(answer);
  const refusal = REFUSALS.find((known) => known === code);
  if (refusal !== undefined) {
    return { kind: 'refused', error: new ApiError(refusal, details === undefined ? {} : { details }) };
  }
  if (code === 'ROUTE_UNAVAILABLE') return { kind: 'route-down' };
  throw new Error(`payments answered ${String(statusCode)} ${code}`);
}

import { Pool } from 'undici';
import { z } from 'zod';
import { chargePeriod } from '@pay/contract/api/fields.ts';
import { cardExpiry, cardMask } from '@pay/contract/messages.ts';
import { createBreaker } from '@pay/shared/breaker/breaker.ts';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { upstreamDuration } from '@pay/shared/telemetry/metrics.ts';
import { traceHeaders } from '@pay/shared/telemetry/tracing.ts';

const moment = z.iso.datetime({ precision: 3 }).transform((text) => new Date(text));

const Binding = z.object({
  bindingId: z.uuid(),
  status: z.enum(['ACTIVE', 'REVOKED', 'EXPIRED']),
  period: chargePeriod,
  cardMask: cardMask.optional(),
  cardExpiry: cardExpiry.optional(),
  nextChargeAt: moment,
});

/** A binding as its buyer is shown it. Its state is the bindings service's, and asked for each time. */
export type BuyersBinding = Readonly<z.output<typeof Binding>>;

/** The binding, `absent` when there is none (yet), or `unavailable` when nobody answered. */
export type BindingAnswer = BuyersBinding | 'absent' | 'unavailable';

/** The bindings service, in one or several replicas. Nothing throws: who does not answer is `unavailable`. */
export type Bindings = {
  read(partnerId: string, bindingId: string): Promise<BindingAnswer>;
  /** Forbids further charges, at once. Safe to repeat; answers the state afterwards. */
  revoke(partnerId: string, bindingId: string): Promise<BindingAnswer>;
  close(): Promise<void>;
};

type Options = { readonly urls: readonly string[]; readonly tokenKey: Buffer; readonly log: Log };

/** All of a call: a buyer looks at an empty page meanwhile. */
const CALL_MS = 5_000;
const CONNECT_MS = 1_000;
/** Buyers look at a page now and then. */
const CONNECTIONS_PER_REPLICA = 8;
/** Shorter than a service keeps an idle connection (65 s), so that none is closed under a request. */
const KEEP_ALIVE_MS = 30_000;

type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly token: string };

export function createBindings({ urls, tokenKey, log }: Options): Bindings {
  const tokenFor = internalTokenSigner('payments', 'bindings', tokenKey);
  const breaker = createBreaker({ name: 'bindings' });
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

  /** A replica that does not answer is followed by the next: both calls may be repeated. */
  async function askReplicas(call: Call): Promise<BindingAnswer> {
    const signal = AbortSignal.timeout(CALL_MS);
    let failure: unknown;
    for (const pool of pools) {
      try {
        return await askReplica(pool, call, signal);
      } catch (error) {
        failure = error;
        if (signal.aborted) break;
      }
    }
    throw failure;
  }

  async function ask(operation: string, call: Call): Promise<BindingAnswer> {
    const startedAt = performance.now();
    const answer = await breaker
      .run(() => askReplicas(call))
      .catch((err: unknown) => {
        log.warn('bindings did not answer', { operation, err });
        return 'unavailable' as const;
      });
    const seconds = (performance.now() - startedAt) / 1_000;
    const result = typeof answer === 'string' ? answer : 'ok';
    upstreamDuration.observe({ target: 'bindings', operation, result }, seconds);
    return answer;
  }

  return {
    read: (partnerId, bindingId) =>
      ask('read', { method: 'GET', path: `/internal/bindings/${bindingId}`, token: tokenFor(partnerId) }),
    revoke: (partnerId, bindingId) =>
      ask('revoke', { method: 'POST', path: `/internal/bindings/${bindingId}/revoke`, token: tokenFor(partnerId) }),
    async close() {
      breaker.close();
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

async function askReplica(pool: Pool, { method, path, token }: Call, signal: AbortSignal): Promise<BindingAnswer> {
  const requestId = currentRequestId();
  const { statusCode, body } = await pool.request({
    method,
    path,
    headers: {
      'x-internal-token': token,
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      ...traceHeaders(),
    },
    signal,
  });
  const answer: unknown = await body.json();
  if (statusCode === 404) return 'absent';
  if (statusCode !== 200) throw new Error(`bindings answered ${String(statusCode)}`);
  return Binding.parse(answer);
}

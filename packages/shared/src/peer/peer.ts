import { Pool } from 'undici';
import { createBreaker, CircuitOpenError } from '../breaker/breaker.ts';
import { internalTokenSigner } from '../internal-auth/internal-token.ts';
import { currentRequestId } from '../logging/request-context.ts';
import { upstreamDuration } from '../telemetry/metrics.ts';
import { traceHeaders } from '../telemetry/tracing.ts';

/** Another service of ours, in one or several replicas, for calls that may be repeated. */
export type Peer = {
  /**
   * What `read` makes of an answer's status and JSON. A replica that does not answer, or whose answer `read` throws at, is
   * followed by the next.
   * @throws what went wrong last, when no replica answered within the time of a call, or the breaker is open
   */
  ask<T>(call: PeerCall, read: Read<T>): Promise<T>;
  close(): Promise<void>;
};

/** What an answer's status and JSON mean. */
type Read<T> = (status: number, answer: unknown) => T;

export type PeerCall = {
  /** A word for the metrics. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** For whom: stands in the token, and is all that the peer answers about. */
  readonly partnerId: string;
  /** Sent as JSON. */
  readonly body?: unknown;
};

type Options = {
  /** Who asks. */
  readonly issuer: string;
  /** Who is asked. */
  readonly name: string;
  readonly urls: readonly string[];
  /** The key of the one that is asked. */
  readonly tokenKey: Buffer;
  /** All of a call, over all replicas. */
  readonly callMs: number;
  readonly connectionsPerReplica: number;
};

const CONNECT_MS = 1_000;
/** Shorter than a service keeps an idle connection (65 s), so that none is closed under a request. */
const KEEP_ALIVE_MS = 30_000;

export function createPeer({ issuer, name, urls, tokenKey, callMs, connectionsPerReplica }: Options): Peer {
  const tokenFor = internalTokenSigner(issuer, name, tokenKey);
  const breaker = createBreaker({ name });
  const pools = urls.map(
    (url) =>
      new Pool(url, {
        connections: connectionsPerReplica,
        connect: { timeout: CONNECT_MS },
        headersTimeout: callMs,
        bodyTimeout: callMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
      }),
  );
  let turn = 0;

  async function askReplicas<T>(call: PeerCall, read: Read<T>): Promise<T> {
    const signal = AbortSignal.timeout(callMs);
    const sent = { ...call, token: tokenFor(call.partnerId) };
    turn = (turn + 1) % pools.length;
    let failure: unknown;
    for (const pool of [...pools.slice(turn), ...pools.slice(0, turn)]) {
      try {
        return await askReplica(pool, sent, signal, read);
      } catch (error) {
        failure = error;
        if (signal.aborted) break;
      }
    }
    throw failure;
  }

  return {
    async ask(call, read) {
      const startedAt = performance.now();
      let result = 'failed';
      try {
        const said = await breaker.run(() => askReplicas(call, read));
        result = 'ok';
        return said;
      } catch (error) {
        if (error instanceof CircuitOpenError) result = 'open';
        throw error;
      } finally {
        const seconds = (performance.now() - startedAt) / 1_000;
        upstreamDuration.observe({ target: name, operation: call.operation, result }, seconds);
      }
    },
    async close() {
      breaker.close();
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

async function askReplica<T>(
  pool: Pool,
  { method, path, body, token }: PeerCall & { readonly token: string },
  signal: AbortSignal,
  read: Read<T>,
): Promise<T> {
  const requestId = currentRequestId();
  const response = await pool.request({
    method,
    path,
    headers: {
      'x-internal-token': token,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      ...traceHeaders(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  });
  return read(response.statusCode, await response.body.json());
}

import { Agent, request } from 'undici';
import { createBreaker, CircuitOpenError, type Breaker } from '@pay/shared/breaker/breaker.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { upstreamDuration } from '@pay/shared/telemetry/metrics.ts';

/** How a connector reaches its bank; each route has its own. */
export type BankClientOptions = {
  /** Names the breaker: one a route. */
  readonly routeId: string;
  readonly log: Log;
  /** The whole of one call; 10 s by default. */
  readonly deadlineMs?: number;
  /** How long the breaker stays open before one call is let through. */
  readonly breakerResetMs?: number;
};

/** A bank that has not answered by then will be asked by read-back; the buyer's browser must not wait longer. */
const DEADLINE_MS = 10_000;
/** Sockets to one bank; more calls than that wait in line inside the pool. */
const CONNECTIONS = 256;
/** An operation is a few hundred bytes, a page of a register some tens of thousands. */
const ANSWER_BYTES_MAX = 512 * 1024;

/** An answer that says the bank, or our account there, is not well: counted by the breaker, told as `unknown`. */
export class BankFault extends Error {
  override readonly name = 'BankFault';
}

export type BankCall = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};
export type BankAnswer = { readonly status: number; readonly text: string };

/** What the absence of an answer means. */
export type Unanswered = { readonly kind: 'unknown' | 'not-sent' };

export type BankClient = {
  /**
   * Sends one call and says what the answer, or its absence, means. `read` may throw BankFault. Bodies and answers are
   * never logged: they carry card data.
   */
  readonly send: <Result extends { readonly kind: string }>(
    operation: string,
    call: BankCall,
    read: (answer: BankAnswer) => Result,
  ) => Promise<Result | Unanswered>;
  /** False while the breaker is open. */
  readonly isAvailable: () => boolean;
  readonly close: () => Promise<void>;
};

/** Connections and breaker of one route. */
export function createBankClient({ routeId, log, deadlineMs, breakerResetMs }: BankClientOptions): BankClient {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1, maxResponseSize: ANSWER_BYTES_MAX });
  const breaker: Breaker = createBreaker({
    name: `route ${routeId}`,
    ...(breakerResetMs === undefined ? {} : { resetMs: breakerResetMs }),
  });

  async function exchange({ method, url, headers, body }: BankCall): Promise<BankAnswer> {
    const answer = await request(url, {
      method,
      dispatcher: agent,
      signal: AbortSignal.timeout(deadlineMs ?? DEADLINE_MS),
      headers,
      body: body ?? null,
    });
    // The deadline covers the body too: a bank that drips its answer is a bank that does not answer.
    const text = await answer.body.text();
    const { statusCode: status } = answer;
    if (status >= 500 || status === 429 || status === 401 || status === 403) {
      throw new BankFault(`the bank answered ${String(status)}`);
    }
    return { status, text };
  }

  /** Nothing was sent, or nobody knows. */
  function withoutAnswer(operation: string, error: unknown): Unanswered {
    const sent = !(error instanceof CircuitOpenError) && !neverConnected(error);
    const fields = { operation, routeId, sent, err: error };
    if (error instanceof CircuitOpenError) log.warn('the route is closed for the moment', fields);
    else log.warn('no answer from the bank', fields);
    return { kind: sent ? 'unknown' : 'not-sent' };
  }

  return {
    async send(operation, call, read) {
      const startedAt = process.hrtime.bigint();
      const result = await breaker
        .run(async () => read(await exchange(call)))
        .catch((error: unknown) => withoutAnswer(operation, error));
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      upstreamDuration.observe({ target: routeId, operation, result: result.kind }, seconds);
      return result;
    },
    isAvailable: () => !breaker.isOpen,
    async close() {
      breaker.close();
      await agent.close();
    },
  };
}

/** Errors that arise before a byte of the request left: the name did not resolve, or nobody took the connection. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT',
]); // prettier-ignore

function neverConnected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // Several addresses were tried, and every one failed.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.every(neverConnected);
  }
  return 'code' in error && typeof error.code === 'string' && NEVER_CONNECTED.has(error.code);
}

import { Agent } from 'undici';
import { createBreaker, CircuitOpenError, type Breaker } from '@pay/shared/breaker/breaker.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { isNothingSent } from '@pay/shared/net/nothing-sent.ts';
import { outgoingCallDuration } from '@pay/shared/telemetry/metrics.ts';
import { inCallSpan } from '@pay/shared/telemetry/tracing.ts';
import { HOLDS_MS, type Fence } from '../domain/acquiring/fence.ts';
import { BankFault, bankWordOf, type BankWord, type RawAnswer } from './bank-word.ts';
import { OPERATIONS_MAX } from './bulkhead.ts';

/** How a connector reaches its bank; one client per route. */
export type BankClientOptions = {
  /** Names the breaker: one per route. */
  readonly routeId: string;
  readonly log: Log;
  /** Deadline of one whole operation at the bank, however many calls it takes; 10 s by default. */
  readonly deadlineMs?: number;
  /** How long the breaker stays open before one call is let through. */
  readonly breakerResetMs?: number;
};

/** After this, the outcome is left to read-back: the buyer's browser must not wait longer. */
export const DEADLINE_MS = 10_000;
/**
 * A call that moves money is not started with less time left than this, or than a fifth of the deadline: it would only end
 * with an unknown outcome.
 */
const LEAST_MS = 2_000;
const LEAST_PART = 5;
/** An operation takes a few hundred bytes, a page of a register some tens of thousands. */
const ANSWER_BYTES_MAX = 512 * 1024;

export type BankCall = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The result of a call without an answer. */
export type Unanswered = { readonly kind: 'unknown'; readonly isAnswered?: boolean } | { readonly kind: 'not-sent' | 'fenced' };

/**
 * Sends one call and returns what the answer, or its absence, means. `read` gets the bank's own word only, and may throw
 * BankFault. Bodies and answers are never logged: they carry card data.
 */
type Send = <Result extends { readonly kind: string }>(
  operation: string,
  call: BankCall,
  read: (word: BankWord) => Result,
) => Promise<Result | Unanswered>;

/** The calls of one operation at the bank, under one deadline that starts with the operation. */
export type BankOperation = {
  /** For a call that moves no money. */
  readonly ask: Send;
  /** For a call that may move money: the fence is checked first, and limits the call. @throws what the fence throws */
  readonly move: Send;
};

/** For operations that only ask: no call that moves money is sent under this fence. */
export const NO_FENCE: Fence = { ask: () => Promise.resolve({ leftMs: 0, ageMs: () => 0 }) };

export type BankClient = {
  readonly begin: (fence: Fence) => BankOperation;
  /** False while the breaker is open. */
  readonly isAvailable: () => boolean;
  readonly close: () => Promise<void>;
};

const CONNECTIONS = {
  connections: OPERATIONS_MAX,
  pipelining: 1,
  // A session of HTTP/2 may keep a call back after it was told that it may leave.
  allowH2: false,
  maxResponseSize: ANSWER_BYTES_MAX,
} as const;

/** The connections and the breaker of one route. */
export function createBankClient({ routeId, log, deadlineMs, breakerResetMs }: BankClientOptions): BankClient {
  const agent = new Agent(CONNECTIONS);
  const breaker: Breaker = createBreaker({
    name: `route ${routeId}`,
    ...(breakerResetMs === undefined ? {} : { resetMs: breakerResetMs }),
    isHealthy: (error) => error instanceof BankFault && error.of === 'perhaps-card',
  });

  async function send<Result extends { readonly kind: string }>(
    operation: string,
    call: BankCall,
    read: (word: BankWord) => Result,
    { endsAt, leastMs, mayLeave }: Limits,
  ): Promise<Result | Unanswered | Held> {
    const startedAt = performance.now();
    const timeoutMs = Math.floor(endsAt - startedAt);
    // A process that was frozen notices it here first.
    if (timeoutMs < leastMs) {
      log.warn('not enough time left for a call', { operation, routeId });
      return { kind: 'not-sent' };
    }
    return inCallSpan({ name: `bank ${operation}`, kind: 'client' }, async ({ describe, traceId }) => {
      const result = await breaker
        .run(async () => {
          const answer = await dispatch(agent, call, timeoutMs, mayLeave);
          return answer === undefined ? HELD : read(bankWordOf(answer));
        })
        .catch((error: unknown) => withoutAnswer(log, { operation, routeId, err: error }));
      const seconds = (performance.now() - startedAt) / 1_000;
      outgoingCallDuration.observe({ target: routeId, operation, result: result.kind }, seconds, traceId);
      describe(`bank ${operation}`, { 'bank.acquiring_route': routeId, 'bank.result': result.kind });
      return result;
    });
  }

  return {
    begin(fence) {
      const wholeMs = deadlineMs ?? DEADLINE_MS;
      const endsAt = performance.now() + wholeMs;
      return {
        async ask(operation, call, read) {
          const result = await send(operation, call, read, { endsAt, leastMs: 1, mayLeave: () => true });
          return isHeld(result) ? { kind: 'not-sent' } : result;
        },
        async move(operation, call, read) {
          // Ends with the time: `send` begins no call when there is too little of it left.
          for (;;) {
            const { leftMs, ageMs } = await fence.ask();
            if (leftMs <= 0) {
              log.warn('the lease was lost; nothing is sent', { operation, routeId });
              return { kind: 'fenced' };
            }
            const result = await send(operation, call, read, {
              endsAt: Math.min(endsAt, performance.now() - ageMs() + leftMs),
              leastMs: Math.min(LEAST_MS, wholeMs / LEAST_PART),
              mayLeave: () => ageMs() <= HOLDS_MS,
            });
            if (!isHeld(result)) return result;
            log.info('the answer of the fence was too old when the call could leave; asking again', {
              operation,
              routeId,
            });
          }
        },
      };
    },
    isAvailable: () => !breaker.isOpen,
    async close() {
      breaker.close();
      await agent.close();
    },
  };
}

/** Classifies a failed call: not sent, or outcome unknown. */
function withoutAnswer(log: Log, failed: { operation: string; routeId: string; err: unknown }): Unanswered {
  const isOpen = failed.err instanceof CircuitOpenError;
  const sent = !isOpen && !isNothingSent(failed.err);
  log.warn(isOpen ? 'the circuit breaker of the route is open' : 'no answer from the bank', { ...failed, sent });
  return { kind: sent ? 'unknown' : 'not-sent' };
}

type Limits = {
  /** On the process's monotonic clock, which keeps running while the process is frozen. */
  readonly endsAt: number;
  readonly leastMs: number;
  /** Asked when the connection is there, immediately before the first byte. */
  readonly mayLeave: () => boolean;
};

/** `mayLeave` was false: not a byte has left. */
const HELD = { kind: 'held' } as const;
type Held = typeof HELD;
const isHeld = (result: { readonly kind: string }): result is Held => result === HELD;

const LATE = 'the bank did not answer in time';

/**
 * By undici's lowest-level API, as calls between services (`ask-replica.ts`). The deadline covers the body too: a bank that
 * trickles its answer counts as one that does not answer.
 */
function dispatch(
  agent: Agent,
  { method, url, headers, body }: BankCall,
  timeoutMs: number,
  mayLeave: () => boolean,
): Promise<RawAnswer | undefined> {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2);
  return new Promise((resolve, reject) => {
    let status = 0;
    let contentType: RawAnswer['contentType'];
    const chunks: Buffer[] = [];
    let late: Error | undefined;
    let abort: ((reason: Error) => void) | undefined;
    const endsAt = performance.now() + timeoutMs;
    const timer = setTimeout(() => {
      late = new Error(LATE);
      reject(late);
      abort?.(late);
    }, timeoutMs);
    agent.dispatch(
      { origin: url.slice(0, pathAt), path: url.slice(pathAt), method, headers, body: body ?? null },
      {
        onRequestStart(controller) {
          abort = (reason) => {
            controller.abort(reason);
          };
          // By the time it had a connection, nobody waited any more: not a byte of it may leave. A process that was frozen
          // may come here before its timer has fired.
          if (late !== undefined || performance.now() >= endsAt) controller.abort(late ?? new Error(LATE));
          else if (!mayLeave()) {
            clearTimeout(timer);
            resolve(undefined);
            // Thrown, not aborted: that ends the call and keeps the connection for the next try.
            throw new Error('the answer of the fence is too old');
          }
        },
        onResponseStart(_controller, statusCode, answered) {
          // Earlier ones are informational.
          status = statusCode;
          // Of several, none is believed.
          const given = answered['content-type'];
          contentType = typeof given === 'string' ? given : undefined;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ status, contentType, body: Buffer.concat(chunks) });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}

import { CircuitOpenError } from '@pay/shared/breaker/breaker.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { internalTokenSigner, type InternalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { traceHeaders } from '@pay/shared/telemetry/tracing.ts';
import { upstreamDuration } from '@pay/shared/telemetry/metrics.ts';
import type { Pool } from 'undici';
import { askInTurn, type Attempt } from './ask-in-turn.ts';
import { createLanes, type Lane, type LaneName } from './lanes.ts';
import { NoAnswerError } from './no-answer.ts';

/** What a service is asked. */
export type Forwarded = {
  readonly lane: LaneName;
  readonly method: string;
  readonly target: string;
  readonly partnerId: string;
  readonly requestId: string;
  readonly idempotencyKey: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** A service behind the door, in one or several replicas. */
export type Upstream = {
  /**
   * Asks one replica. One that takes no connection, or failed to answer a few times in a row, is passed over; a GET that got
   * no answer, or none within a second, is asked of another too. A command whose bytes may have arrived is never sent
   * twice: its outcome is the partner's to read.
   * @throws ApiError 503 with Retry-After. OUTCOME_UNKNOWN for a command of which a byte may have left and no answer came;
   * SERVICE_UNAVAILABLE where nothing changed: for a read, and at once when the breaker of the call's lane is open, or when all
   * its places, or the partner's, are taken
   */
  ask(request: Forwarded): Promise<Answer>;
  close(): Promise<void>;
};

type Options = {
  readonly name: string;
  readonly urls: readonly string[];
  /** The service's own key: it accepts tokens made with it. */
  readonly tokenKey: Buffer;
  readonly log: Log;
};

/** The whole of a call. Longer than any use case takes, shorter than partners' own timeouts. */
const DEADLINE_MS = 15_000;
/** A token is valid for 30 s; one that is younger than this is used again. */
const TOKEN_REUSE_MS = 10_000;
/** Headers of an answer that partners get. Everything else is the inside of the house. */
const PASSED_ON = ['content-type', 'retry-after', 'idempotency-replayed', 'allow'] as const;
const RETRY_AFTER_SECONDS = 5;
/** Places become free as calls end: sooner than a service that is down comes back. */
const BUSY_RETRY_AFTER_SECONDS = 1;

/** The name that the gateway signs its tokens with. */
const ISSUER = 'gateway';

export function createUpstream(options: Options): Upstream {
  const { name, log } = options;
  const lanes = createLanes(name, options.urls, DEADLINE_MS, log);
  const tokenFor = reusedTokens(internalTokenSigner(ISSUER, name, options.tokenKey));

  function askReplicas(lane: Lane, request: Forwarded): Promise<Answer> {
    const until = performance.now() + DEADLINE_MS;
    const token = tokenFor(request.partnerId);
    const isRead = request.method === 'GET';
    return askInTurn({
      candidates: lane.replicas.inTurn(isRead),
      until,
      isRead,
      waitsOutside: lane.name === 'outside',
      hedges: isRead ? lane.hedges : undefined,
      ask: (pool) => askReplica(pool, request, token, until),
    });
  }

  async function ask(request: Forwarded): Promise<{ readonly answer?: Answer; readonly result: string }> {
    const lane = lanes[request.lane];
    const leave = lane.inFlight.enter(request.partnerId);
    if (leave === undefined) return { result: 'full' };
    try {
      const answer = await lane.breaker.run(() => askReplicas(lane, request));
      return { answer, result: `${String(Math.floor(answer.status / 100))}xx` };
    } catch (error) {
      if (error instanceof CircuitOpenError) return { result: 'open' };
      log.warn('service did not answer', { upstream: name, requestId: request.requestId, err: error });
      const isUnknown = request.method !== 'GET' && error instanceof NoAnswerError && error.wasSent;
      return { result: isUnknown ? 'unknown' : 'failed' };
    } finally {
      leave();
    }
  }

  return {
    async ask(request) {
      const startedAt = performance.now();
      const { answer, result } = await ask(request);
      const seconds = (performance.now() - startedAt) / 1_000;
      upstreamDuration.observe({ target: name, operation: request.method, result }, seconds);
      if (answer !== undefined) return answer;
      const retryAfterSeconds = result === 'full' ? BUSY_RETRY_AFTER_SECONDS : RETRY_AFTER_SECONDS;
      throw new ApiError(result === 'unknown' ? 'OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE', { retryAfterSeconds });
    },
    async close() {
      const all = Object.values(lanes);
      for (const { breaker } of all) breaker.close();
      await Promise.all(all.map(({ replicas }) => replicas.close()));
    },
  };
}

/**
 * Asks through undici's lowest door: streams and abort signals for each of these small answers would cost more than all
 * checks of the request. Ends at `until` (monotonic milliseconds), in whatever state the call is.
 */
function askReplica(pool: Pool, request: Forwarded, token: string, until: number): Attempt<Answer> {
  let giveUp: (isLate: boolean) => void = () => undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let headers: Readonly<Record<string, string>> = {};
    let isGivenUp = false;
    let abort: ((reason: Error) => void) | undefined;
    giveUp = (isLate) => {
      clearTimeout(timer);
      isGivenUp = true;
      const error = new NoAnswerError({ isLate, wasSent: abort !== undefined });
      reject(error);
      abort?.(error);
    };
    const timer = setTimeout(() => {
      giveUp(true);
    }, until - performance.now());
    const options = {
      method: request.method,
      path: request.target,
      headers: headersFor(request, token),
      body: request.body.length === 0 ? null : request.body,
    };
    pool.dispatch(options, {
      // From here on bytes may leave; before it the call waits for a connection.
      onRequestStart(controller) {
        abort = (reason) => {
          controller.abort(reason);
        };
        // It waited until nobody wanted its answer any more.
        if (isGivenUp) controller.abort(new Error('given up'));
      },
      onResponseStart(_controller, statusCode, given) {
        // Before it come informational answers, which nobody behind the door sends.
        status = statusCode;
        headers = passedOn(given);
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        clearTimeout(timer);
        resolve({
          status,
          headers,
          body: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
        });
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        reject(
          new NoAnswerError({ isLate: false, wasSent: abort !== undefined && !isConnectionRefused(error) }, error),
        );
      },
    });
  });
  return {
    answer,
    cancel: () => {
      giveUp(false);
    },
  };
}

function passedOn(given: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const header of PASSED_ON) {
    const value = given[header];
    if (typeof value === 'string') passed[header] = value;
  }
  return passed;
}

/** The headers of the inner request, all of them ours or named here: nothing else that a client sends goes through. */
function headersFor(request: Forwarded, token: string): Record<string, string> {
  return {
    'x-internal-token': token,
    'x-request-id': request.requestId,
    ...(request.idempotencyKey === '' ? {} : { 'idempotency-key': request.idempotencyKey }),
    ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
    ...traceHeaders(),
  };
}

/** Signs one token a partner in ten seconds instead of one a request. */
function reusedTokens(sign: InternalTokenSigner): InternalTokenSigner {
  let tokens = new Map<string, string>();
  let bornAt = performance.now();
  return (partnerId) => {
    const now = performance.now();
    if (now - bornAt > TOKEN_REUSE_MS) {
      tokens = new Map();
      bornAt = now;
    }
    const known = tokens.get(partnerId);
    if (known !== undefined) return known;
    const token = sign(partnerId);
    tokens.set(partnerId, token);
    return token;
  };
}

const NOTHING_SENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** No connection came about, so not a byte of the request has left. */
function isConnectionRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && NOTHING_SENT.has(error.code);
}

import { CircuitOpenError } from '../breaker/breaker.ts';
import { internalTokenSigner, type InternalTokenSigner } from '../internal-auth/internal-token.ts';
import type { Log } from '../logging/logger.ts';
import { outgoingCallDuration } from '../telemetry/metrics.ts';
import { askInTurn } from './ask-in-turn.ts';
import { askReplica, type Read } from './ask-replica.ts';
import { createLanes, type Lane, type LaneName } from './lanes.ts';
import { NoAnswerError, PlacesTakenError } from './no-answer.ts';

/** A call to another service of ours. */
export type ServiceCall = {
  /** What it waits for there, and so which other calls it may be in the way of. */
  readonly lane: LaneName;
  /** A word for the metrics. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** For whom: stands in the token, and is all that the service answers about. */
  readonly partnerId: string;
  /** Beside the token and the trace. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
  /** All of the call, over all replicas; longer than the service takes at most. */
  readonly deadlineMs: number;
  /**
   * It changes nothing, or is one by its id, however often it comes. Then a replica without an answer is followed by the next;
   * any other call is sent once from the moment when a byte may have left.
   */
  readonly mayRepeat: boolean;
};

/** Another service of ours, in one or several replicas. A process has one for all of its calls to it. */
export type ServiceClient = {
  /**
   * What `read` makes of the answer. A replica whose answer `read` throws at is followed by the next. One that takes no
   * connection, or failed to answer a few times in a row, is passed over (ADR 0111).
   * @throws PlacesTakenError and CircuitOpenError at once, and nothing was sent; NoAnswerError, or what `read` threw, where no
   * replica answered within the deadline
   */
  ask<T>(call: ServiceCall, read: Read<T>): Promise<T>;
  close(): Promise<void>;
};

type Options = {
  /** Who asks. */
  readonly issuer: string;
  /** Who is asked. */
  readonly name: string;
  readonly urls: readonly string[];
  /** The key of the one that is asked: it accepts tokens made with it. */
  readonly tokenKey: Buffer;
  readonly log: Log;
};

/** A token is valid for 30 s; one that is younger than this is used again. */
const TOKEN_REUSE_MS = 10_000;

export function createServiceClient({ issuer, name, urls, tokenKey, log }: Options): ServiceClient {
  const lanes = createLanes(name, urls, log);
  const tokenFor = reusedTokens(internalTokenSigner(issuer, name, tokenKey));

  function askReplicas<T>(lane: Lane, call: ServiceCall, read: Read<T>): Promise<T> {
    const until = performance.now() + call.deadlineMs;
    const token = tokenFor(call.partnerId);
    const hedges = call.mayRepeat ? lane.hedges : undefined;
    return askInTurn({
      candidates: lane.replicas.inTurn(hedges !== undefined),
      until,
      mayRepeat: call.mayRepeat,
      waitsOutside: lane.name === 'outside',
      hedges,
      ask: (pool) => askReplica(pool, call, { token, until, read }),
    });
  }

  async function askInPlace<T>(call: ServiceCall, read: Read<T>): Promise<T> {
    const lane = lanes[call.lane];
    const leave = lane.inFlight.enter(call.partnerId);
    if (leave === undefined) throw new PlacesTakenError(`${name} ${lane.name}`);
    try {
      return await lane.breaker.run(() => askReplicas(lane, call, read));
    } finally {
      leave();
    }
  }

  return {
    async ask(call, read) {
      const startedAt = performance.now();
      let result = 'failed';
      try {
        return await askInPlace(call, (answer) => {
          result = `${String(Math.floor(answer.status / 100))}xx`;
          return read(answer);
        });
      } catch (error) {
        result = resultOf(error, call);
        throw error;
      } finally {
        const seconds = (performance.now() - startedAt) / 1_000;
        outgoingCallDuration.observe({ target: name, operation: call.operation, result }, seconds);
      }
    },
    async close() {
      const all = Object.values(lanes);
      for (const { breaker } of all) breaker.close();
      await Promise.all(all.map(({ replicas }) => replicas.close()));
    },
  };
}

function resultOf(error: unknown, { mayRepeat }: ServiceCall): string {
  if (error instanceof PlacesTakenError) return 'full';
  if (error instanceof CircuitOpenError) return 'open';
  return error instanceof NoAnswerError && error.wasSent && !mayRepeat ? 'unknown' : 'failed';
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

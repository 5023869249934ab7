import { CircuitOpenError } from '../breaker/breaker.ts';
import { internalTokenSigner, type InternalTokenSigner } from '../internal-auth/internal-token.ts';
import type { Log } from '../logging/logger.ts';
import { outgoingCallDuration } from '../telemetry/metrics.ts';
import { currentTraceId } from '../telemetry/tracing.ts';
import { askReplicas } from './ask-replicas.ts';
import { askReplica, type Read } from './ask-replica.ts';
import { createLanes, type Lane, type LaneName } from './lanes.ts';
import { openAtReplica, type Opened } from './open-stream.ts';
import { NoAnswerError, PlacesTakenError } from './no-answer.ts';

/** A call to another service of ours. */
export type ServiceCall = {
  /** What it waits for there, which decides which other calls it may hold up. */
  readonly lane: LaneName;
  /** A label for metrics. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** The partner in the token: the service answers only about them. */
  readonly partnerId: string;
  /** In addition to token and trace. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
  /** Deadline of the whole call, over all replicas; longer than the service takes at most. */
  readonly deadlineMs: number;
  /**
   * The call changes nothing, or is idempotent by its id. Then the next replica is tried if one does not answer; any
   * other call is sent only once from the moment that a byte may have been sent.
   */
  readonly mayRepeat: boolean;
};

/** A client of another service and its replicas. A process has one for all its calls to that service. */
export type ServiceClient = {
  /**
   * Returns what `read` makes of the response. If `read` throws, the next replica is tried. A replica that accepts no
   * connection, or failed to answer a few times in a row, is skipped (decisions/replicas).
   * @throws PlacesTakenError and CircuitOpenError at once, with nothing sent; NoAnswerError, or what `read` threw, if
   * no replica answered within the deadline
   */
  ask<T>(call: ServiceCall, read: Read<T>): Promise<T>;
  /**
   * Opens a response that goes on, in the lane `stream`. `deadlineMs` is for its beginning. The call keeps its place, and
   * counts as in flight at its replica, until the body is read or destroyed.
   * @throws as `ask`
   */
  open(call: Omit<ServiceCall, 'lane' | 'mayRepeat'>): Promise<Opened>;
  close(): Promise<void>;
};

type Options = {
  /** The calling service. */
  readonly issuer: string;
  /** The called service. */
  readonly name: string;
  readonly urls: readonly string[];
  /** The called service's key: it accepts tokens made with it. */
  readonly tokenKey: Buffer;
  readonly log: Log;
};

/** A token is valid for 30 s; it is reused while younger than this. */
const TOKEN_REUSE_MS = 10_000;

export function createServiceClient({ issuer, name, urls, tokenKey, log }: Options): ServiceClient {
  const lanes = createLanes(name, urls, log);
  const tokenFor = reusedTokens(internalTokenSigner(issuer, name, tokenKey));

  function askLane<T>(lane: Lane, call: ServiceCall, read: Read<T>): Promise<T> {
    const until = performance.now() + call.deadlineMs;
    const token = tokenFor(call.partnerId);
    const hedges = call.mayRepeat ? lane.hedges : undefined;
    return askReplicas({
      candidates: lane.replicas.inOrder(hedges !== undefined),
      until,
      mayRepeat: call.mayRepeat,
      waitsOutside: lane.name === 'outside',
      hedges,
      ask: (pool, mayBeElsewhere) => askReplica(pool, call, { token, until, read, mayBeElsewhere }),
    });
  }

  async function askInPlace<T>(call: ServiceCall, read: Read<T>): Promise<T> {
    const lane = lanes[call.lane];
    const leave = lane.inFlight.enter(call.partnerId);
    if (leave === undefined) throw new PlacesTakenError(`${name} ${lane.name}`);
    try {
      return await lane.breaker.run(() => askLane(lane, call, read));
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
        outgoingCallDuration.observe({ target: name, operation: call.operation, result }, seconds, currentTraceId());
      }
    },
    async open(call) {
      const lane = lanes.stream;
      const leave = lane.inFlight.enter(call.partnerId);
      if (leave === undefined) throw new PlacesTakenError(`${name} ${lane.name}`);
      try {
        const opened = await lane.breaker.run(() =>
          openAtReplica(lane.replicas.inOrder(false), { ...call, token: tokenFor(call.partnerId) }),
        );
        opened.body.once('close', leave);
        return opened;
      } catch (error) {
        leave();
        throw error;
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

/** Signs one token per partner and ten seconds instead of one per request. */
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

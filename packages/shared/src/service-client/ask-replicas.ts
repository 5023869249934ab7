import type { Pool } from 'undici';
import type { Outcome } from './health.ts';
import type { Hedges } from './hedges.ts';
import { NoAnswerError } from './no-answer.ts';
import type { Candidate } from './replicas.ts';

/** A call in progress at one replica. */
export type Attempt<T> = {
  readonly answer: Promise<T>;
  /** Whether the response was a 5xx, or a 401: the replica has another key than the others. False without a response. */
  isRefused(): boolean;
  /** Aborts it: its connection is closed, and `answer` rejects. */
  cancel(): void;
};

type Call<T> = {
  readonly candidates: readonly Candidate[];
  /** The deadline of the call, for all its attempts together (monotonic milliseconds). */
  readonly until: number;
  /** Another replica may be tried even though bytes of the call may have been sent. */
  readonly mayRepeat: boolean;
  /** The call waits for somebody behind the service: being late says nothing about the replica. */
  readonly waitsOutside: boolean;
  /** Set for calls that may be sent to a second replica while the first is silent. */
  readonly hedges: Hedges | undefined;
  /** @param mayBeElsewhere - whether another replica may have received the call; asked when the response is there */
  ask(pool: Pool, mayBeElsewhere: () => boolean): Attempt<T>;
};

type Running<T> = Attempt<T> & { readonly candidate: Candidate; readonly startedAt: number };

/**
 * How long one replica has before a second one is tried. A fixed time, because a lane's p99 is that of its slowest
 * query and follows a replica that freezes: such calls take milliseconds, and one that has taken a second will not be
 * answered soon.
 */
const HEDGE_AFTER_MS = 1_000;
/** All places for second attempts were taken: checks again. */
const HEDGE_AGAIN_MS = 100;

/**
 * Tries one replica after another until one answers, and reports what the call showed about each. If there is a place
 * for it, a slow call is sent to a second replica at the same time; the first answer wins and the other attempt is
 * aborted (decisions/replicas).
 * @throws the error of the last attempt, usually NoAnswerError, whose `wasSent` is about all attempts
 */
export function askReplicas<T>(call: Call<T>): Promise<T> {
  const { hedges, until } = call;
  const left = [...call.candidates];
  const running = new Set<Running<T>>();
  /** An attempt that ended without an answer may have been received. */
  let mayBeReceived = false;

  /** Aborts the other attempt. An earlier replica that is still silent counts as late. */
  function win(winner: Running<T>): void {
    if (!running.delete(winner)) return;
    winner.candidate.report('answered', winner.isRefused());
    for (const other of running) {
      running.delete(other);
      other.cancel();
      other.candidate.report(other.startedAt < winner.startedAt ? 'failed' : 'unknown', false);
    }
  }

  async function walk(): Promise<T> {
    let failure: unknown;
    for (let candidate = left.shift(); candidate !== undefined; candidate = left.shift()) {
      const startedAt = performance.now();
      const attempt = { ...call.ask(candidate.begin(), () => mayBeReceived || running.size > 1), candidate, startedAt };
      running.add(attempt);
      try {
        const answer = await attempt.answer;
        win(attempt);
        return answer;
      } catch (error) {
        failure = error;
        // The other attempt has won.
        if (!running.delete(attempt)) break;
        const outcome = outcomeOf(error, call.waitsOutside || until - startedAt < HEDGE_AFTER_MS);
        candidate.report(outcome, attempt.isRefused());
        mayBeReceived ||= wasPerhapsReceived(error);
        if (performance.now() >= until || (mayBeReceived && !call.mayRepeat)) break;
      }
    }
    throw mayBeReceived ? asSent(failure) : failure;
  }

  if (hedges === undefined || left.length === 1) return walk();
  return new Promise((resolve) => {
    let walking = 0;
    const start = async (leave?: () => void) => {
      walking += 1;
      const walked = walk();
      const isAnswered = await walked.then(
        () => true,
        () => false,
      );
      leave?.();
      walking -= 1;
      if (!isAnswered && walking > 0) return;
      clearTimeout(timer);
      resolve(walked);
    };
    const hedge = () => {
      if (left.length === 0) return;
      const leave = hedges.enter();
      if (leave === undefined) timer = setTimeout(hedge, HEDGE_AGAIN_MS);
      else void start(leave);
    };
    let timer = setTimeout(hedge, HEDGE_AFTER_MS);
    void start();
  });
}

/** An answer that could not be read was an answer to a call that was received. */
const wasPerhapsReceived = (error: unknown): boolean => !(error instanceof NoAnswerError) || error.wasSent;

/** The last attempt's error, where an earlier one may have been received. */
const asSent = (error: unknown): unknown =>
  wasPerhapsReceived(error) ? error : new NoAnswerError({ isLate: false, wasSent: true }, error);

function outcomeOf(error: unknown, isLatenessExcused: boolean): Outcome {
  if (!(error instanceof NoAnswerError)) return 'unknown';
  if (error.isLate) return isLatenessExcused ? 'unknown' : 'failed';
  return error.wasSent ? 'failed' : 'refused';
}

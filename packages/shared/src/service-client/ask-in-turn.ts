import type { Pool } from 'undici';
import type { Outcome } from './health.ts';
import type { Hedges } from './hedges.ts';
import { NoAnswerError } from './no-answer.ts';
import type { Candidate } from './replicas.ts';

/** A call that is at one replica. */
export type Attempt<T> = {
  readonly answer: Promise<T>;
  /** Gives it up: its connection is closed, `answer` rejects. */
  cancel(): void;
};

type Call<T> = {
  readonly candidates: readonly Candidate[];
  /** The end of the call, of all its attempts together (monotonic milliseconds). */
  readonly until: number;
  /** It may be asked of another replica although bytes of it may have left. */
  readonly mayRepeat: boolean;
  /** It waits for somebody behind the service: that it is late says nothing about the replica. */
  readonly waitsOutside: boolean;
  /** Given for calls that may be asked of a second replica while the first is silent. */
  readonly hedges: Hedges | undefined;
  ask(pool: Pool): Attempt<T>;
};

type Running<T> = Attempt<T> & { readonly candidate: Candidate; readonly startedAt: number };

/**
 * How long a call is left to one replica. A fixed time, because the p99 of a lane is that of its slowest query and
 * follows a replica that freezes: such calls take milliseconds, and one of a second is not answered soon.
 */
const HEDGE_AFTER_MS = 1_000;
/** All second places were taken: looks again. */
const HEDGE_AGAIN_MS = 100;

/**
 * Asks one replica after the other until one answers, and reports of each what the call showed. Where there are places for it, a call that takes
 * long is asked of one more at the same time; the first answer wins and the other attempt is given up (ADR 0111).
 * @throws what the last attempt ended with, mostly NoAnswerError
 */
export function askInTurn<T>(call: Call<T>): Promise<T> {
  const { hedges, until } = call;
  const left = [...call.candidates];
  const running = new Set<Running<T>>();

  /** Gives up the other attempt. Whoever was asked earlier and is still silent counts as late. */
  function win(winner: Running<T>): void {
    if (!running.delete(winner)) return;
    winner.candidate.report('answered');
    for (const other of running) {
      running.delete(other);
      other.cancel();
      other.candidate.report(other.startedAt < winner.startedAt ? 'failed' : 'unknown');
    }
  }

  async function walk(): Promise<T> {
    let failure: unknown;
    for (let candidate = left.shift(); candidate !== undefined; candidate = left.shift()) {
      const startedAt = performance.now();
      const attempt = { ...call.ask(candidate.pool), candidate, startedAt };
      running.add(attempt);
      try {
        const answer = await attempt.answer;
        win(attempt);
        return answer;
      } catch (error) {
        failure = error;
        // The other attempt has won.
        if (!running.delete(attempt)) break;
        candidate.report(outcomeOf(error, call.waitsOutside || until - startedAt < HEDGE_AFTER_MS));
        const wasSent = error instanceof NoAnswerError && error.wasSent;
        if (performance.now() >= until || (wasSent && !call.mayRepeat)) break;
      }
    }
    throw failure;
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

function outcomeOf(error: unknown, isLatenessExcused: boolean): Outcome {
  if (!(error instanceof NoAnswerError)) return 'unknown';
  if (error.isLate) return isLatenessExcused ? 'unknown' : 'failed';
  return error.wasSent ? 'failed' : 'refused';
}

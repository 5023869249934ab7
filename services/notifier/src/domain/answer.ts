import type { AttemptFailure } from '@pay/contract/states.ts';
import { retryPauseMs } from './retry-schedule.ts';

/** A receiver's response, or why there was none. The pause that it asks for is at most a day. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'unanswered'; readonly failure: AttemptFailure };

/**
 * How an attempt ended. FLAGGED is a response that neither confirms nor refuses (201, 204, a redirect): it is retried
 * like RETRY, and shown, because the receiver most likely has a bug.
 */
export type Outcome = 'DELIVERED' | 'REFUSED' | Unconfirmed;
type Unconfirmed = 'RETRY' | 'FLAGGED';

/** 4xx that mean "later". See spec/service-contract#delivery-and-partner-response. */
const RETRIED_4XX: ReadonlySet<number> = new Set([408, 425, 429]);

/** The contract's four classes of responses. */
export function classify(answer: Answer): Outcome {
  if (answer.kind === 'unanswered') return 'RETRY';
  const { status } = answer;
  if (status === 200) return 'DELIVERED';
  if (RETRIED_4XX.has(status) || (status >= 500 && status <= 599)) return 'RETRY';
  return status >= 400 && status <= 499 ? 'REFUSED' : 'FLAGGED';
}

/** What follows for an event after an attempt. */
export type Decision = Successful | Failed;
type Successful = { readonly outcome: 'DELIVERED'; readonly status: 'DELIVERED' };
type Failed =
  | { readonly outcome: 'REFUSED'; readonly status: 'REFUSED' }
  | { readonly outcome: Unconfirmed; readonly status: 'EXHAUSTED' }
  | { readonly outcome: Unconfirmed; readonly status: 'WAITING'; readonly waitMs: number };

/**
 * Decides after attempt number `attempt` (from 1). `random` is in [0, 1). A Retry-After can lengthen the pause but never
 * shortens it.
 */
export function decideNext(answer: Answer, attempt: number, random: number): Decision {
  const outcome = classify(answer);
  if (outcome === 'DELIVERED') return { outcome, status: outcome };
  if (outcome === 'REFUSED') return { outcome, status: outcome };
  const pauseMs = retryPauseMs(attempt, random);
  if (pauseMs === undefined) return { outcome, status: 'EXHAUSTED' };
  const retryAfterMs = answer.kind === 'answered' ? (answer.retryAfterSeconds ?? 0) * 1_000 : 0;
  return { outcome, status: 'WAITING', waitMs: Math.max(pauseMs, retryAfterMs) };
}

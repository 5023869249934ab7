import type { Consumer } from '../broker/consume.ts';
import type { Db } from '../postgres/db.ts';
import type { Log } from '../logging/logger.ts';
import { PUBLISHED_DAYS } from '../outbox/published.ts';
import type { Loop } from '../time/loop.ts';
import { factsAskedAgain, factsComparedAt, factsMissing } from '../telemetry/metrics.ts';
import { wallClockSeconds } from '../time/wall-clock.ts';
import { askForMissing, compareFacts, type Comparison } from './compare.ts';
import type { Owners } from './owners.ts';
import type { Stretch } from '../outbox/parts.ts';

const LOOK_MS = 5_000;
const HOUR_MS = 3_600_000;
/**
 * The pause after something was missing, or a queue may have lost messages. It doubles each time that nothing improved.
 */
const SOON_MS = 10_000;
/** Without a comparison for this long, readiness reports it. */
const STALE_MS = 2 * HOUR_MS;
/** Time limit of a comparison: the next one covers the rest. */
const COMPARISON_MS = 60_000;
/** Behind a backlog: what was delivered again comes late, and a producer may be behind the others. */
const BACKLOG_SETTLE_MS = 600_000;
/** Recent facts are still being committed, published and received. */
const SETTLE_MS = 5_000;

/** Everything that owners have stored, up to a moment ago. */
export function allKept(): Stretch {
  const nowMs = wallClockSeconds() * 1_000;
  return { fromMs: nowMs - PUBLISHED_DAYS * 24 * HOUR_MS, toMs: nowMs - SETTLE_MS };
}

/** The last day, plus an hour that the previous check may have missed. */
const lastDay = (): Stretch => ({ ...allKept(), fromMs: wallClockSeconds() * 1_000 - 25 * HOUR_MS });

export type FactsWatch = {
  readonly loop: Loop;
  /** A sentence for readiness while facts are missing, or comparing failed. */
  readonly problems: () => readonly string[];
};

type Options = { readonly db: Db; readonly owners: Owners; readonly consumer: Consumer; readonly log: Log };

/**
 * Compares what others published with what arrived here, every hour and after each connection to the broker, and
 * requests what is missing. Preferably while the queue is empty, because messages in it are on their way. If it has not
 * been empty for an hour, what is older than the messages that are being delivered is compared. See
 * decisions/lost-messages.
 */
export function watchFacts({ db, owners, consumer, log }: Options): FactsWatch {
  const state = {
    subscriptions: 0,
    /** How many full-range checks are left, until two in a row found nothing missing. */
    wideLooks: 0,
    dueMs: 0,
    pauseMs: SOON_MS,
    comparedMs: performance.now(),
    missing: 0,
    /** The first missing id of the last check: if it is still missing, asking for it did not help. */
    first: '',
    failure: 'the queue was never empty',
  };

  async function compare(stopping: AbortSignal, upToMs: number): Promise<void> {
    if (state.subscriptions !== consumer.subscriptions) {
      state.subscriptions = consumer.subscriptions;
      // What was in flight when the connection broke may count as missing only a moment later.
      state.wideLooks = 2;
    }
    const untilMs = performance.now() + COMPARISON_MS;
    const stretch = state.wideLooks > 0 ? allKept() : lastDay();
    const compared = { ...stretch, toMs: Math.min(stretch.toMs, upToMs) };
    const comparison = await compareFacts({ db, owners, untilMs, stopping }, compared);
    if (stopping.aborted) return;
    state.comparedMs = performance.now();
    factsComparedAt.set(wallClockSeconds());
    const first = note(comparison);
    if (first === undefined) {
      if (upToMs === Number.POSITIVE_INFINITY) state.wideLooks = Math.max(0, state.wideLooks - 1);
      state.pauseMs = SOON_MS;
      state.dueMs = performance.now() + (state.wideLooks > 0 ? SOON_MS : HOUR_MS);
      return;
    }
    const count = await askForMissing(owners, comparison.missing);
    factsAskedAgain.inc(count);
    log.warn('facts published by other services never arrived, requested them', { missing: state.missing, count });
    state.pauseMs = first === state.first ? Math.min(HOUR_MS, state.pauseMs * 2) : SOON_MS;
    state.first = first;
    state.dueMs = performance.now() + state.pauseMs;
  }

  /** The first missing id. */
  function note({ missing }: Comparison): string | undefined {
    state.missing = missing.reduce((sum, { messageIds }) => sum + messageIds.length, 0);
    factsMissing.set(state.missing);
    return missing[0]?.messageIds[0];
  }

  return {
    loop: {
      name: 'facts',
      intervalMs: LOOK_MS,
      round: async (stopping) => {
        const isDue = state.subscriptions !== consumer.subscriptions || performance.now() >= state.dueMs;
        if (!isDue || !consumer.isBound) return 'done';
        const upToMs = await comparableUpTo(consumer, state.comparedMs);
        if (upToMs === undefined) {
          state.failure = 'messages wait in the queue';
          return 'done';
        }
        try {
          await compare(stopping, upToMs);
        } catch (err) {
          state.failure = err instanceof Error ? err.message : String(err);
          state.dueMs = performance.now() + SOON_MS;
          log.warn('could not compare published facts with received ones', { err });
        }
        return 'done';
      },
    },
    problems: () => problemsOf(state, owners),
  };
}

type State = { readonly missing: number; readonly comparedMs: number; readonly failure: string };

function problemsOf({ missing, comparedMs, failure }: State, { names }: Owners): readonly string[] {
  return [
    ...(missing === 0 ? [] : [`facts: ${String(missing)} published by other services never arrived, they were requested`]),
    ...(performance.now() - comparedMs < STALE_MS ? [] : [`facts: not compared with ${names.join(', ')} for two hours: ${failure}`]),
  ];
}

/** Up to when what has not arrived is missing; undefined: not known now. */
async function comparableUpTo(consumer: Consumer, comparedMs: number): Promise<number | undefined> {
  if ((await consumer.waiting()) === 0) return Number.POSITIVE_INFINITY;
  if (performance.now() - comparedMs < HOUR_MS) return undefined;
  const upToMs = (consumer.deliveredUpToMs() ?? 0) - BACKLOG_SETTLE_MS;
  return upToMs > lastDay().fromMs ? upToMs : undefined;
}

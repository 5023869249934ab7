import { FACTS } from '@pay/contract/facts.ts';
import { routeOf } from '@pay/shared/broker/topology.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { GAPS_ASKED_MAX } from '@pay/shared/facts/wire.ts';
import type { Owners } from '@pay/shared/facts/owners.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { factsAskedAgain } from '@pay/shared/telemetry/metrics.ts';
import { closeKnownGaps, GAPS_MAX, listGaps, type AfterGap, type Gap } from '../db/gaps.ts';

const INTERVAL_MS = 2_000;
/** Facts of one payment that two replicas handle at once overtake each other by less than this. */
const GRACE_SECONDS = 2;
/**
 * The pause between two requests about one gap. It doubles each time, because what did not help will not help sooner.
 */
const AGAIN_MS = { first: 5_000, most: 600_000 };
/** Gaps whose requests are remembered. Beyond it all are forgotten, and requested as if they were new. */
const ASKED_MAX = 100_000;

type Deps = { readonly db: Db; readonly owners: Owners; readonly log: Log };

/** When a gap may be requested again, and how long to wait after that. */
type Asked = { readonly notBeforeMs: number; readonly pauseMs: number };

/**
 * Asks the owner of a payment or binding for the versions that a later one waits for, a few seconds after that one
 * arrived. Covers at most a hundred gaps per request, longest wait first, each less and less often. What an owner no
 * longer keeps stays a gap, which `watchGaps` reports, and hides none: a round covers all of them, a thousand at a time.
 * A version that is in the log is no gap: such are closed. See decisions/lost-messages.
 */
export function askForGaps({ db, owners, log }: Deps): Loop {
  const asked = new Map<string, Asked>();
  /** Those of this round, up to `after`. */
  let seen = new Set<string>();
  let after: AfterGap | undefined;
  return {
    name: 'gap asks',
    intervalMs: INTERVAL_MS,
    round: async () => {
      const closed = await closeKnownGaps(db);
      if (closed > 0) log.warn('went on behind versions that are in the log', { closed });
      const gaps = await listGaps(db, GAPS_MAX, GRACE_SECONDS, after);
      const nowMs = performance.now();
      for (const gap of gaps) seen.add(keyOf(gap));
      const due = gaps.filter((gap) => (asked.get(keyOf(gap))?.notBeforeMs ?? 0) <= nowMs);
      for (const [owner, lacked] of Map.groupBy(due, ownerOf)) {
        if (owner === undefined) continue;
        const now = lacked.slice(0, GAPS_ASKED_MAX);
        if (asked.size + now.length > ASKED_MAX) asked.clear();
        for (const gap of now) asked.set(keyOf(gap), later(asked.get(keyOf(gap)), nowMs));
        await ask(owner, now);
      }
      after = gaps.length === GAPS_MAX ? gaps.at(-1) : undefined;
      if (after !== undefined) return 'more';
      // The others are closed.
      for (const key of asked.keys()) if (!seen.has(key)) asked.delete(key);
      seen = new Set();
      return 'done';
    },
  };

  async function ask(owner: string, gaps: readonly Gap[]): Promise<void> {
    const versions = gaps.map(({ aggregateId, nextVersion, firstWaiting }) => ({
      aggregateId,
      from: nextVersion,
      to: firstWaiting,
    }));
    try {
      const count = await owners.publishAgain(owner, { versions });
      factsAskedAgain.inc(count);
      log.warn('versions are missing, requested them from their owner', { owner, gaps: gaps.length, count });
    } catch (err) {
      log.warn('versions are missing, and their owner does not answer', { owner, gaps: gaps.length, err });
    }
  }
}

const keyOf = ({ aggregateId, nextVersion }: Gap): string => `${aggregateId} ${String(nextVersion)}`;

function later(before: Asked | undefined, nowMs: number): Asked {
  const pauseMs = before?.pauseMs ?? AGAIN_MS.first;
  return { notBeforeMs: nowMs + pauseMs, pauseMs: Math.min(AGAIN_MS.most, pauseMs * 2) };
}

/** The service that publishes the facts behind its events. */
function ownerOf({ kind }: Gap): string | undefined {
  const type = Object.keys(FACTS).find((name) => name.startsWith(`${kind}.`));
  return type === undefined ? undefined : routeOf(FACTS, type)?.owner;
}

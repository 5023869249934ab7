import type { Db } from '@pay/shared/postgres/db.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { GAPS_MAX, listGaps } from '../db/gaps.ts';
import { behindGap, behindGapOldest } from '../delivery/metrics.ts';

const INTERVAL_MS = 10_000;

/** What the notifier knows about versions that never arrived. */
export type GapWatch = {
  readonly loop: Loop;
  /** A sentence for readiness while something waits behind a gap, or if the check failed. */
  readonly problems: () => readonly string[];
};

/**
 * Finds payments and bindings whose events wait for a version that never arrived. Nothing else would report them,
 * because none of their events is due. Every replica measures; the pool's statement timeout bounds the check.
 */
export function watchGaps(db: Db): GapWatch {
  let problems: readonly string[] = [];
  const look = async (): Promise<void> => {
    const gaps = await listGaps(db, GAPS_MAX);
    const oldestSeconds = gaps[0]?.ageSeconds ?? 0;
    behindGap.set(gaps.length);
    behindGapOldest.set(oldestSeconds);
    problems = gaps.length === 0 ? [] : [sentenceOf(gaps.length, oldestSeconds)];
  };
  return {
    loop: {
      name: 'gaps',
      intervalMs: INTERVAL_MS,
      round: async () => {
        try {
          await look();
        } catch (error) {
          problems = ['callbacks: the check for version gaps failed, so nobody knows what waits behind one'];
          throw error;
        }
        return 'done';
      },
    },
    problems: () => problems,
  };
}

function sentenceOf(count: number, oldestSeconds: number): string {
  const many = count === GAPS_MAX ? `${String(count)} or more` : String(count);
  return `callbacks: payments or bindings with events behind a version that never arrived: ${many}, the oldest has waited ${String(oldestSeconds)} s`;
}

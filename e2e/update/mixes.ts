import type { OwnProgram } from '../../tools/system/state.ts';
import type { Kind } from './load.ts';

/** Which of the two versions the replicas of a program are; `both` while they differ, or one of them is being replaced. */
export type Version = 'old' | 'new' | 'both';

/** From a moment on (`performance.now()`), these versions ran. */
export type Moment = { readonly at: number; readonly versions: Readonly<Partial<Record<OwnProgram, Version>>> };

/** Two programs that talk to each other, the first one as caller or publisher, and what shows that they do. */
export type Pair = { readonly from: OwnProgram; readonly to: OwnProgram; readonly by: Kind | 'callback' };

/** Callers of internal APIs, and publishers of facts with their consumers. */
export const PAIRS: readonly Pair[] = [
  { from: 'gateway', to: 'payments', by: 'create' },
  { from: 'gateway', to: 'bindings', by: 'charge' },
  { from: 'gateway', to: 'notifier', by: 'events' },
  { from: 'gateway', to: 'withdrawals', by: 'balance' },
  { from: 'bindings', to: 'payments', by: 'charge' },
  { from: 'payments', to: 'notifier', by: 'callback' },
];

/** How many of these moments fell into the time in which all replicas of the one were of the one version, and of the other of the other. */
export function countMix(
  { from, to }: Pair,
  [fromVersion, toVersion]: readonly [Version, Version],
  moments: readonly Moment[],
  happened: readonly number[],
): number {
  const isMix = ({ versions }: Moment) => versions[from] === fromVersion && versions[to] === toVersion;
  return happened.filter((at) => {
    const moment = moments.findLast((one) => one.at <= at);
    return moment !== undefined && isMix(moment);
  }).length;
}

import { VELOCITY_RULES, type VelocityRule } from '@pay/contract/operator/states.ts';

/** Cards that brought no money (yet), by what they have in common. */
export type VelocityCounts = Readonly<Record<VelocityRule, number>>;

/** So long a card that brought no money counts. */
export const VELOCITY_WINDOW_SECONDS = 600;

/**
 * The first rule that a card breaks; undefined: it may go to the bank. The card itself is among the counts, so a limit of 20 lets
 * twenty through. Who tries stolen numbers has most of them declined; a buyer whose card was taken does not count.
 */
export function brokenRule(counts: VelocityCounts, limits: VelocityCounts): VelocityRule | undefined {
  return VELOCITY_RULES.find((rule) => counts[rule] > limits[rule]);
}

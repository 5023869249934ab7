import { VELOCITY_RULES, type VelocityRule } from '@pay/contract/operator/states.ts';

/** Unpaid cards (tried, and no money so far) that share an attribute. */
export type VelocityCounts = Readonly<Record<VelocityRule, number>>;

/** How long an unpaid card counts. */
export const VELOCITY_WINDOW_SECONDS = 600;

/**
 * The first rule that a card breaks; undefined if it may go to the bank. The counts include the card itself, so a limit of 20
 * lets twenty through. People who test stolen numbers have most of them declined; cards that paid are not counted.
 */
export function brokenRule(counts: VelocityCounts, limits: VelocityCounts): VelocityRule | undefined {
  return VELOCITY_RULES.find((rule) => counts[rule] > limits[rule]);
}

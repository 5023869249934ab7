import { Temporal } from 'temporal-polyfill';
import type { z } from 'zod';
import type { chargePeriod } from '@pay/contract/api/fields.ts';

/** Not more often than this. Spec: Charge periods. */
export type ChargePeriod = z.infer<typeof chargePeriod>;

/** When a binding was charged last, when it may be charged next, and the day of the month that it returns to. */
export type Schedule = {
  readonly lastChargedAt: Date;
  readonly nextChargeAt: Date;
  /** 1 to 31, UTC. Only months and years look at it. */
  readonly anchorDay: number;
};

/** The schedule of a binding whose first payment was confirmed at `chargedAt`: it counts as the first charge. */
export function firstSchedule(chargedAt: Date, period: ChargePeriod): Schedule {
  return scheduleFrom(chargedAt, period, chargedAt.getUTCDate());
}

/**
 * The schedule after a charge was confirmed at `chargedAt`. On the very date (UTC) that was due the anchor day stays, so
 * that 31 Jan, 28 Feb is followed by 31 Mar; on any other date it becomes that day. Decisions "the period's base".
 */
export function scheduleAfter(
  before: Pick<Schedule, 'nextChargeAt' | 'anchorDay'>,
  chargedAt: Date,
  period: ChargePeriod,
): Schedule {
  const onDueDate = dateOf(before.nextChargeAt) === dateOf(chargedAt);
  return scheduleFrom(chargedAt, period, onDueDate ? before.anchorDay : chargedAt.getUTCDate());
}

const dateOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Calendar periods in UTC, time of day kept; a day that the month lacks becomes its last. */
function scheduleFrom(lastChargedAt: Date, period: ChargePeriod, anchorDay: number): Schedule {
  const charged = Temporal.Instant.fromEpochMilliseconds(lastChargedAt.getTime()).toZonedDateTimeISO('UTC');
  const next =
    period === 'P1M' || period === 'P1Y'
      ? charged.with({ day: 1 }).add(period).with({ day: anchorDay }, { overflow: 'constrain' })
      : charged.add(period);
  return { lastChargedAt, nextChargeAt: new Date(next.epochMilliseconds), anchorDay };
}

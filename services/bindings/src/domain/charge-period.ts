import { Temporal } from 'temporal-polyfill';
import type { ChargePeriod } from '@pay/contract/states.ts';

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

/** A charge: when it was accepted, and when it was confirmed. */
export type Charged = { readonly acceptedAt: Date; readonly confirmedAt: Date };

/**
 * The schedule after a charge that succeeded. Accepted on the very date (UTC) that was due, the anchor day stays, so that
 * 31 Jan, 28 Feb is followed by 31 Mar, whenever the bank confirmed it; accepted on any other date, it becomes that day.
 * See spec/decisions#base-of-the-period and ADR 0128.
 */
export function scheduleAfter(
  before: Pick<Schedule, 'nextChargeAt' | 'anchorDay'>,
  { acceptedAt, confirmedAt }: Charged,
  period: ChargePeriod,
): Schedule {
  const onDueDate = dateOf(before.nextChargeAt) === dateOf(acceptedAt);
  const anchorDay = onDueDate ? before.anchorDay : acceptedAt.getUTCDate();
  const schedule = scheduleFrom(confirmedAt, period, anchorDay, acceptedAt);
  // Confirmed later than the next one was due: from its confirmation on, so that two are not due at once.
  return schedule.nextChargeAt > confirmedAt ? schedule : scheduleFrom(confirmedAt, period, anchorDay);
}

const dateOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/**
 * Calendar periods in UTC from the month of `countedFrom`, with the time of day of the charge; a day that the month lacks
 * becomes its last.
 */
function scheduleFrom(
  lastChargedAt: Date,
  period: ChargePeriod,
  anchorDay: number,
  countedFrom = lastChargedAt,
): Schedule {
  const charged = inUtc(lastChargedAt);
  const { year, month } = inUtc(countedFrom);
  const next =
    period === 'P1M' || period === 'P1Y'
      ? charged.with({ year, month, day: 1 }).add(period).with({ day: anchorDay }, { overflow: 'constrain' })
      : charged.add(period);
  return { lastChargedAt, nextChargeAt: new Date(next.epochMilliseconds), anchorDay };
}

const inUtc = (moment: Date) => Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO('UTC');

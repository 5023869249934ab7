import { Temporal } from 'temporal-polyfill';
import type { ChargePeriod } from '@pay/contract/states.ts';

/** When a binding was last charged, when it may be charged next, and the day of the month that it returns to. */
export type Schedule = {
  readonly lastChargedAt: Date;
  readonly nextChargeAt: Date;
  /** 1 to 31, UTC. Used only for months and years. */
  readonly anchorDay: number;
};

/** The schedule of a binding whose first payment was confirmed at `chargedAt`, which counts as the first charge. */
export function firstSchedule(chargedAt: Date, period: ChargePeriod): Schedule {
  return scheduleFrom(chargedAt, period, chargedAt.getUTCDate());
}

/** A charge: when it was accepted, and when it was confirmed. */
export type Charged = { readonly acceptedAt: Date; readonly confirmedAt: Date };

/**
 * The schedule after a successful charge. If it was accepted on the due date (UTC), the anchor day stays, so that 31
 * Jan, 28 Feb is followed by 31 Mar, whenever the bank confirmed it. If it was accepted on another date, that day
 * becomes the anchor.
 * See spec/decisions#base-of-the-period and decisions/recurring-charges.
 */
export function scheduleAfter(
  before: Pick<Schedule, 'nextChargeAt' | 'anchorDay'>,
  { acceptedAt, confirmedAt }: Charged,
  period: ChargePeriod,
): Schedule {
  const onDueDate = dateOf(before.nextChargeAt) === dateOf(acceptedAt);
  const anchorDay = onDueDate ? before.anchorDay : acceptedAt.getUTCDate();
  const schedule = scheduleFrom(confirmedAt, period, anchorDay, acceptedAt);
  // Confirmed after the next charge was due: count from the confirmation, so that two charges are not due at once.
  return schedule.nextChargeAt > confirmedAt ? schedule : scheduleFrom(confirmedAt, period, anchorDay);
}

const dateOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/**
 * Calendar periods in UTC from the month of `countedFrom`, at the charge's time of day. A day that the month does not
 * have becomes its last.
 */
function scheduleFrom(lastChargedAt: Date, period: ChargePeriod, anchorDay: number, countedFrom = lastChargedAt): Schedule {
  const charged = inUtc(lastChargedAt);
  const { year, month } = inUtc(countedFrom);
  const next =
    period === 'P1M' || period === 'P1Y'
      ? charged.with({ year, month, day: 1 }).add(period).with({ day: anchorDay }, { overflow: 'constrain' })
      : charged.add(period);
  return { lastChargedAt, nextChargeAt: new Date(next.epochMilliseconds), anchorDay };
}

const inUtc = (moment: Date) => Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO('UTC');

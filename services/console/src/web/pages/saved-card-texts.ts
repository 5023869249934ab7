import type { ChargePeriod } from '@pay/contract/states.ts';

const PERIODS: Readonly<Record<ChargePeriod, string>> = {
  PT1M: 'once a minute (TEST)',
  PT1H: 'once an hour (TEST)',
  P1D: 'once a day',
  P1W: 'once a week',
  P1M: 'once a month',
  P1Y: 'once a year',
};

/** How often a saved card may be charged, in words. */
export const periodText = (period: ChargePeriod): string => PERIODS[period];

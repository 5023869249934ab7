import type { ChargePeriod } from '@pay/contract/states.ts';
import { t } from '../text.ts';

const PERIODS: Readonly<Record<ChargePeriod, string>> = {
  PT1M: t('once a minute (TEST)'),
  PT1H: t('once an hour (TEST)'),
  P1D: t('once a day'),
  P1W: t('once a week'),
  P1M: t('once a month'),
  P1Y: t('once a year'),
};

/** How often a saved card may be charged, in words. */
export const periodText = (period: ChargePeriod): string => PERIODS[period];

import { endOfDay, isKept, startOfDay } from '@pay/shared/time/day.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * A card's last four digits, an amount and a day in UTC, in any order, as the filter that finds the payment; undefined if
 * that is not what was typed.
 */
export function cardSearchOf(typed: string): Readonly<Record<string, string>> | undefined {
  const terms = typed.split(/\s+/);
  const [cardLastFour, amount, day] = [/^\d{4}$/, /^\d+[.,]\d{2}$/, DAY].map((shape) => terms.find((term) => shape.test(term)));
  if (terms.length !== 3 || cardLastFour === undefined || amount === undefined || day === undefined) return undefined;
  const from = Date.parse(`${day}T00:00:00Z`);
  if (!isKept(from)) return undefined;
  return {
    cardLastFour,
    amount: amount.replace(',', '.'),
    from: startOfDay(day).toISOString(),
    to: endOfDay(day).toISOString(),
  };
}

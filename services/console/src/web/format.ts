import { isRussian, said, t } from './text.ts';

/** A moment in UTC, to the second: `2026-11-21 06:30:12 UTC`. */
export function utc(moment: string): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`;
}

/** The same moment where the reader is: `2026-11-21 09:30:12`; undefined if their time is UTC. */
export function local(moment: string): string | undefined {
  const at = new Date(moment);
  const offset = at.getTimezoneOffset() * 60_000;
  return offset === 0 ? undefined : utc(new Date(at.getTime() - offset).toISOString()).slice(0, -4);
}

/** An amount with its thousands apart: `1,250.00`, in Russian `1 250,00`. Text in, text out. */
export function grouped(amount: string): string {
  const [thousands, decimals] = isRussian() ? ['\u{a0}', ','] : [',', '.'];
  return amount.replace('.', decimals).replace(/\d(?=(?:\d{3})+(?!\d))(?<![.,]\d*)/g, `$&${thousands}`);
}

/** Rubles as kopecks, to compare; null for what is not an amount with two decimals. */
export function kopecks(amount: string): bigint | null {
  return /^\d{1,15}\.\d{2}$/.test(amount) ? BigInt(amount.replace('.', '')) : null;
}

/** The rubles of kopecks, which are not negative: `1250.00`. */
export function fromKopecks(amount: bigint): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const MINUTE = 60_000;

/** How long ago, in at most two units: `5 min`, `3 h 20 min`, `4 d 2 h`. For display, never for decisions. */
export function age(moment: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(moment)) / MINUTE));
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (days > 0) return `${String(days)} ${t('d')} ${String(hours)} ${t('h')}`;
  return hours > 0 ? `${String(hours)} ${t('h')} ${String(rest)} ${t('min')}` : `${String(rest)} ${t('min')}`;
}

/** Requests older than this are shown as late. */
const LATE_MS = 72 * 60 * MINUTE;

export const isLate = (moment: string, now: number): boolean => now - Date.parse(moment) > LATE_MS;

/** Constants that are not displayed as they are written. */
const NAMES: Readonly<Record<string, string>> = { SBP_DYNAMIC_QR: 'QR', CARD_BINDING: 'Saved card' };

/** `IN_REVIEW` as people read it: by its own text, or by that of its English words. */
export function words(constant: string): string {
  const own = said(constant);
  return own === constant ? said(NAMES[constant] ?? english(constant)) : own;
}

const english = (constant: string): string => constant.charAt(0) + constant.slice(1).toLowerCase().replaceAll('_', ' ');

const SECOND = 1_000;

/** A duration in one unit: `850 ms`, `12 s`, `3 min`, `5 h`, `2 d`. */
export function duration(milliseconds: number): string {
  const steps = [
    [2 * 86_400 * SECOND, 86_400 * SECOND, 'd'],
    [120 * MINUTE, 60 * MINUTE, 'h'],
    [2 * MINUTE, MINUTE, 'min'],
    [SECOND, SECOND, 's'],
  ] as const;
  for (const [from, size, unit] of steps) if (milliseconds >= from) return `${tenth(milliseconds / size)} ${t(unit)}`;
  return `${String(Math.round(milliseconds))} ${t('ms')}`;
}

const tenth = (value: number): string => (value < 10 ? value.toFixed(1).replace('.0', '') : String(Math.round(value)));

/** A part of a count in percent, to a tenth. For counts only: amounts are text. */
export const percent = (part: number, whole: number): number => Math.round((1_000 * part) / whole) / 10;

/** The same as text; a dash if there is nothing to divide. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${String(percent(part, whole)).replace('.', isRussian() ? ',' : '.')} %`;

const PLAIN_MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/;

/** `2026-11-21` or `2026-11-21 10:30`, taken as UTC, in the API's format; anything else unchanged. */
export function moment(typed: string): string {
  const [, day, time = '00:00'] = PLAIN_MOMENT.exec(typed) ?? [];
  if (day === undefined) return typed;
  return `${day}T${time.length === 5 ? `${time}:00` : time}Z`;
}

/** The sum of a count over rows. */
export function total<Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

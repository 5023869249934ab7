/** A moment in UTC, to the second: `2026-11-21 06:30:12 UTC`. */
export function utc(moment: string): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`;
}

const MINUTE = 60_000;

/** How long ago, in at most two units: `5 min`, `3 h 20 min`, `4 d 2 h`. For reading, never for deciding. */
export function age(moment: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(moment)) / MINUTE));
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (days > 0) return `${String(days)} d ${String(hours)} h`;
  return hours > 0 ? `${String(hours)} h ${String(rest)} min` : `${String(rest)} min`;
}

/** Nobody may leave a request longer than this without being asked about it. */
const LATE_MS = 72 * 60 * MINUTE;

export const isLate = (moment: string, now: number): boolean => now - Date.parse(moment) > LATE_MS;

/** `IN_REVIEW` as people read it. */
export const words = (constant: string): string =>
  constant.charAt(0) + constant.slice(1).toLowerCase().replaceAll('_', ' ');

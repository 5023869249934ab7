/** The longest pause that anybody is granted: a day. */
export const RETRY_AFTER_SECONDS_MAX = 86_400;

const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAYS = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;
/** IMF-fixdate, and the two obsolete forms that a recipient has to read all the same: RFC 9110, 5.6.7. */
const FORMS = [
  new RegExp(String.raw`^${DAYS}, (?<day>\d{2}) ${MONTH} (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^${LONG_DAYS}, (?<day>\d{2})-${MONTH}-(?<shortYear>\d{2}) ${TIME} GMT$`),
  new RegExp(String.raw`^${DAYS} ${MONTH} (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
];

/**
 * The seconds that the lines of a Retry-After header ask to wait: in every form of RFC 9110 (10.2.3), at most a day, and
 * the longest if there are several. Undefined if none can be understood. `sdks/conformance/retry-after.json` has the cases.
 */
export function readRetryAfter(lines: readonly string[], now: Date): number | undefined {
  const asked = lines.flatMap((line) => secondsOf(line.replace(/^[ \t]+|[ \t]+$/g, ''), now) ?? []);
  return asked.length === 0 ? undefined : Math.min(RETRY_AFTER_SECONDS_MAX, Math.max(...asked));
}

function secondsOf(text: string, now: Date): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const moment = momentOf(text, now);
  return moment === undefined ? undefined : Math.max(0, Math.ceil((moment - now.getTime()) / 1_000));
}

/** Unix milliseconds of an HTTP date; undefined if it is none. */
function momentOf(text: string, now: Date): number | undefined {
  for (const form of FORMS) {
    const { groups } = form.exec(text) ?? {};
    if (groups === undefined) continue;
    const of = (name: string) => Number(groups[name]);
    const month = MONTHS.indexOf(groups['month'] ?? '');
    const [day, hour, minute, second] = [of('day'), of('hour'), of('minute'), of('second')];
    const year = groups['shortYear'] === undefined ? of('year') : fullYear(of('shortYear'), now);
    const midnight = new Date(0);
    // Unlike Date.UTC, it takes the years 0 to 99 as they are.
    midnight.setUTCFullYear(year, month, day);
    // A leap second, 60, is allowed.
    const isMoment = midnight.getUTCDate() === day && hour <= 23 && minute <= 59 && second <= 60;
    return isMoment ? midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000 : undefined;
  }
  return undefined;
}

/** The year with these two last digits that is at most fifty years ahead, and less than fifty years past. */
function fullYear(shortYear: number, now: Date): number {
  const latest = now.getUTCFullYear() + 50;
  return latest - ((((latest - shortYear) % 100) + 100) % 100);
}

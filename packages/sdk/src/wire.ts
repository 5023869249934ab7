import { isRecord } from './errors.ts';

/** What was given, escaped, with its question mark; empty when nothing was. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A body of the service's own: it has the member that each such record has. */
export function answered<T>(body: unknown, member: keyof T & string): T {
  if (!has<T>(body, member)) throw new Error('the response is not from this API');
  return body;
}

function has<T>(body: unknown, member: keyof T & string): body is T {
  return isRecord(body) && member in body;
}

/** A decimal string as the JSON number with exactly these digits. @throws TypeError for any other text. */
export function numberToken(amount: string): unknown {
  if (!/^(?:0|[1-9]\d*)(?:\.\d{1,2})?$/.test(amount)) {
    throw new TypeError('amount must be a decimal string with at most two digits after the point, such as "10.50"');
  }
  return JSON.rawJSON(amount);
}

import { isRecord } from './errors.ts';

/** The escaped query with its question mark, or an empty string if no parameter was given. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Checks that a body is from this API: it has the member that every such record has. */
export function answered<T>(body: unknown, member: keyof T & string): T {
  if (!has<T>(body, member)) throw new Error('the response is not from this API');
  return body;
}

function has<T>(body: unknown, member: keyof T & string): body is T {
  return isRecord(body) && member in body;
}

/** The members that are money, or are multiplied by it. */
const EXACT = new Set(['amount', 'amountUsdt', 'price', 'quantity']);

/**
 * The same record, if each amount in it is text: a number is a double, which cannot represent every amount.
 * @throws TypeError if one is not
 */
export function withExactAmounts<T>(record: T): T {
  if (Array.isArray(record)) for (const item of record) withExactAmounts(item);
  else if (isRecord(record)) {
    for (const [name, value] of Object.entries(record)) {
      if (!EXACT.has(name) || value === undefined || value === null) withExactAmounts(value);
      else if (typeof value !== 'string' || !/^\d+(?:\.\d+)?$/.test(value))
        throw new TypeError(`${name} must be a decimal string such as "10.50": a number cannot represent every amount`);
    }
  }
  return record;
}

/**
 * The record as JSON, with `amount` as a number with exactly the digits of the text, and everything else as
 * JSON.stringify writes it. Node 20 has no JSON.rawJSON (decisions/sdks).
 * @throws TypeError if the text is not an amount.
 */
export function withAmountToken(record: { readonly amount: string }): Uint8Array {
  if (typeof record.amount !== 'string' || !/^(?:0|[1-9]\d*)(?:\.\d{1,2})?$/.test(record.amount)) {
    throw new TypeError('amount must be a decimal string with at most two digits after the point, such as "10.50"');
  }
  const members = Object.entries(withExactAmounts(record)).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${name === 'amount' ? record.amount : JSON.stringify(value)}`],
  );
  return new TextEncoder().encode(`{${members.join(',')}}`);
}

/** A JSON string and, if it is a member name, the number that follows it. */
const TEXT_AND_NUMBER = /("[^"\\]*(?:\\.[^"\\]*)*")(?:(\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}]))?/gs;

/**
 * Parses JSON, keeping each member `amount` as the text of its number, before it can become a double. Undefined for
 * anything that is not JSON.
 */
export function readJson(text: string): unknown {
  const exact = text.replace(TEXT_AND_NUMBER, (all, name: string, colon?: string, number?: string) =>
    name === '"amount"' && colon !== undefined && number !== undefined ? `${name}${colon}"${number}"` : all,
  );
  try {
    return JSON.parse(exact);
  } catch {
    return undefined;
  }
}

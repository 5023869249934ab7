import { Decimal } from 'decimal.js';

/**
 * Amounts are `bigint` minor units everywhere inside (decisions/money): kopecks for RUB, micro-USDT for USDT. Only this
 * file converts between text and amounts. No `number` is involved.
 */

/** decimal.js rounds every result to its precision, 20 digits by default; the longest amount times a share has 24. */
const Exact = Decimal.clone({ precision: 60 });

/** Digits without leading zeros, optionally a point and one or two digits. See spec/decisions#amount-limits. */
const RUB_TOKEN = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/;
/** As above with exactly two decimals: the form of recurring amounts, refunds and events. */
const RUB_STRING = /^(?:0|[1-9]\d{0,14})\.\d{2}$/;
/**
 * Up to six decimals, and twelve digits before them, so that every amount fits a `bigint` column. See
 * spec/service-contract#withdrawal-request.
 */
const USDT_STRING = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/;

function toMinorUnits(text: string, digits: number): bigint {
  return BigInt(new Exact(text).times(new Exact(10).pow(digits)).toFixed(0));
}

function toText(amount: bigint, digits: number): string {
  return new Exact(amount.toString()).div(new Exact(10).pow(digits)).toFixed(digits);
}

/**
 * Parses the text of a JSON number token as kopecks: `10`, `10.5`, `10.50`. The token is checked as written, never as
 * the double it would become. Undefined for anything else, including zero and negative numbers.
 */
export function parseRubToken(token: string): bigint | undefined {
  if (!RUB_TOKEN.test(token)) return undefined;
  const kopecks = toMinorUnits(token, 2);
  return kopecks > 0n ? kopecks : undefined;
}

/** Reads a two-decimal string (`"10.50"`) as kopecks. Undefined for any other form, and for zero. */
export function parseRubString(text: string): bigint | undefined {
  return RUB_STRING.test(text) ? parseRubToken(text) : undefined;
}

/** Kopecks as a two-decimal string, the form of every event and of every new money field. */
export function renderRub(amountKopecks: bigint): string {
  return toText(amountKopecks, 2);
}

/** Kopecks with their sign: `-97.99`. */
export function renderRubAmount(amountKopecks: bigint): string {
  return amountKopecks < 0n ? `-${renderRub(-amountKopecks)}` : renderRub(amountKopecks);
}

/** Kopecks as a JSON number written from its own digits (`10.5`), for fields that the contract defines as numbers. */
export function renderRubNumber(amountKopecks: bigint): RawJson {
  return JSON.rawJSON(new Exact(amountKopecks.toString()).div(100).toFixed());
}

/** Reads a USDT string of up to six decimals as micro-USDT. Undefined for any other form, and for zero. */
export function parseUsdt(text: string): bigint | undefined {
  if (!USDT_STRING.test(text)) return undefined;
  const micro = toMinorUnits(text, 6);
  return micro > 0n ? micro : undefined;
}

/** Micro-USDT as a six-decimal string. */
export function renderUsdt(amountMicroUsdt: bigint): string {
  return toText(amountMicroUsdt, 6);
}

/** Micro-USDT with their sign: `-12.500000`. */
export function renderUsdtAmount(amountMicroUsdt: bigint): string {
  return amountMicroUsdt < 0n ? `-${renderUsdt(-amountMicroUsdt)}` : renderUsdt(amountMicroUsdt);
}

/** `basisPoints` hundredths of a percent of an amount, halves away from zero: the fee of a payment, in kopecks. */
export function shareOf(amountKopecks: bigint, basisPoints: number): bigint {
  const exact = new Exact(amountKopecks.toString()).times(basisPoints).div(10_000);
  return BigInt(exact.toFixed(0, Decimal.ROUND_HALF_UP));
}

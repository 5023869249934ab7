import type { OperatedService } from '../operator-apis/operator-api.ts';

/**
 * Fields in services' answers and requests that identify a buyer, or that people typed about one. The audit log never
 * deletes anything, and a buyer may ask for erasure: such data stays in the service, and the log names the row
 * (decisions/erasure).
 */
const OF_BUYERS: ReadonlySet<string> = new Set([
  'customerId', 'description', 'cardMask', 'cardExpiry', 'reason', 'note', 'address', 'userAgent', 'body', 'bodyBase64', 'excerptBase64',
]); // prettier-ignore

/** Pictures: the service's own audit log names them by their hash. */
const PICTURES: ReadonlySet<string> = new Set(['png']);

/** Services without buyers: a reason there is about a partner, and stays. */
const WITHOUT_BUYERS: ReadonlySet<OperatedService> = new Set(['gateway', 'withdrawals']);

/** A value as the audit log stores it: without pictures, and without those fields if the service knows buyers, at any depth. */
export function withoutBuyers(service: OperatedService, value: unknown): unknown {
  return without(value, WITHOUT_BUYERS.has(service) ? PICTURES : new Set([...PICTURES, ...OF_BUYERS]));
}

function without(value: unknown, left: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, left));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (left.has(name) ? [] : [[name, without(inner, left)]])),
  );
}

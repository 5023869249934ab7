import type { OperatedService } from '../operator-apis/operator-api.ts';

/**
 * Fields in services' answers and requests that identify a buyer, or that people typed about one. The audit log never
 * deletes anything, and a buyer may ask for erasure: such data stays in the service, and the log names the row
 * (decisions/erasure).
 */
const OF_BUYERS: ReadonlySet<string> = new Set([
  'customerId',
  'description',
  'cardMask',
  'cardExpiry',
  'reason',
  'note',
  'address',
  'userAgent',
  'body',
  'bodyBase64',
  'excerptBase64',
]);

/** Services without buyers: a reason there is about a partner, and stays. */
const WITHOUT_BUYERS: ReadonlySet<OperatedService> = new Set(['gateway', 'withdrawals']);

/** A value as the audit log stores it: without those fields if the service knows buyers, at any depth. */
export function withoutBuyers(service: OperatedService, value: unknown): unknown {
  return WITHOUT_BUYERS.has(service) ? value : without(value);
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (OF_BUYERS.has(name) ? [] : [[name, without(inner)]])));
}

import type { OperatedService } from '../operator-apis/operator-api.ts';

/**
 * What services answer and take that says who a buyer is, or that people typed about one. Nothing is ever deleted from the
 * audit log, and a buyer may ask to be forgotten: it stays with the service, and the log names the row (ADR 0120).
 */
const OF_BUYERS: ReadonlySet<string> = new Set([
  'customerId', 'description', 'cardMask', 'cardExpiry', 'reason', 'note', 'address', 'userAgent', 'body', 'bodyBase64', 'excerptBase64',
]); // prettier-ignore

/** Services without buyers: a reason there is about a partner, and stays. */
const WITHOUT_BUYERS: ReadonlySet<OperatedService> = new Set(['gateway', 'withdrawals']);

/** A value as the audit log keeps it: of a service that knows buyers, without those fields, however deep they are. */
export function withoutBuyers(service: OperatedService, value: unknown): unknown {
  return WITHOUT_BUYERS.has(service) ? value : without(value);
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (OF_BUYERS.has(name) ? [] : [[name, without(inner)]])),
  );
}

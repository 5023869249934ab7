import type { LaneName } from '@pay/shared/service-client/lanes.ts';

/** The services behind the gateway. */
export type ServiceName = 'payments' | 'bindings' | 'withdrawals' | 'notifier';

/**
 * The whole public API: method, path, owning service, what the call waits for, the query parameters that it accepts.
 * `{x}` is one segment. See spec/service-contract#endpoints, spec/decisions#refunds, spec/decisions#qr-payment and
 * spec/decisions#unknown-query-names.
 */
export const ROUTES = [
  ['POST', '/api/card', 'payments', 'outside', []],
  ['GET', '/api/card', 'payments', 'read', ['customerID', 'from', 'limit', 'orderID', 'pageToken', 'paymentPointID', 'status', 'to']],
  ['GET', '/api/card/{id}', 'payments', 'read', []],
  ['POST', '/api/card/{id}/cancel', 'payments', 'outside', []],
  ['POST', '/api/card/{id}/refunds', 'payments', 'outside', []],
  ['GET', '/api/card/{id}/refunds', 'payments', 'read', ['limit', 'pageToken']],
  ['POST', '/api/qr', 'payments', 'outside', []],
  ['GET', '/api/qr/{id}', 'payments', 'read', []],
  ['POST', '/api/qr/{id}/cancel', 'payments', 'outside', []],
  ['POST', '/api/qr/{id}/refunds', 'payments', 'outside', []],
  ['GET', '/api/qr/{id}/refunds', 'payments', 'read', ['limit', 'pageToken']],
  ['GET', '/api/refunds/{refundId}', 'payments', 'read', []],
  ['GET', '/api/payments/{paymentPointID}', 'payments', 'read', ['from', 'limit', 'pageToken', 'status', 'to']],
  ['GET', '/api/integration/payment-points', 'payments', 'read', []],
  ['PUT', '/api/integration/endpoints', 'payments', 'outside', []],
  ['GET', '/api/integration/endpoints', 'payments', 'read', []],
  ['POST', '/api/integration/callback-secret', 'notifier', 'command', []],
  ['POST', '/api/integration/test-callback', 'notifier', 'command', []],
  ['GET', '/api/registers/RUB', 'payments', 'read', ['from', 'limit', 'pageToken', 'to']],
  ['GET', '/api/registers/RUB/{date}', 'payments', 'read', ['format', 'part']],
  ['GET', '/api/registers/USDT', 'withdrawals', 'read', ['from', 'limit', 'pageToken', 'to']],
  ['GET', '/api/registers/USDT/{date}', 'withdrawals', 'read', ['format', 'part']],
  ['GET', '/api/events', 'notifier', 'read', ['from', 'limit', 'objectId', 'pageToken', 'status', 'to', 'type']],
  ['GET', '/api/requests', 'gateway', 'read', ['limit', 'pageToken', 'verified']],
  ['GET', '/api/request-stream', 'gateway', 'stream', ['after']],
  ['GET', '/api/event-stream', 'notifier', 'stream', ['after']],
  ['GET', '/api/events/{eventId}', 'notifier', 'read', []],
  ['POST', '/api/events/{eventId}/replay', 'notifier', 'command', []],
  ['POST', '/v1/recurring-payments', 'bindings', 'outside', []],
  ['GET', '/v1/bindings', 'bindings', 'read', ['customerId', 'limit', 'pageToken', 'status']],
  ['GET', '/v1/bindings/{bindingId}', 'bindings', 'read', []],
  ['POST', '/v1/bindings/{bindingId}/revoke', 'bindings', 'command', []],
  ['GET', '/api/withdrawal-balances/{storeID}', 'withdrawals', 'read', []],
  ['POST', '/api/withdrawal-requests', 'withdrawals', 'command', []],
  ['GET', '/api/withdrawal-requests', 'withdrawals', 'read', ['limit', 'pageToken', 'status', 'storeId']],
  ['GET', '/api/withdrawal-requests/{requestID}', 'withdrawals', 'read', []],
  ['POST', '/api/withdrawal-requests/{requestID}/cancel', 'withdrawals', 'command', []],
] as const satisfies readonly (readonly [string, string, Owner['service'], LaneName, readonly string[]])[];

/** Who answers: a service, or the gateway itself. */
type Owner = {
  readonly service: ServiceName | 'gateway';
  readonly lane: LaneName;
  readonly queryNames: readonly string[];
};

/** A path with the methods that it accepts. */
type PathRow = {
  readonly pattern: string;
  readonly segments: readonly string[];
  readonly owners: ReadonlyMap<string, Owner>;
};

/** Where a request goes. */
export type Route =
  | ({ readonly kind: 'found'; readonly pattern: string } & Owner)
  | { readonly kind: 'wrong-method'; readonly pattern: string; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

/** By number of segments: a path is compared with only two or three rows. */
const ROWS_BY_LENGTH: ReadonlyMap<number, readonly PathRow[]> = Map.groupBy(pathRows(), (row) => row.segments.length);

/** Finds a raw path in the table. Nothing is decoded or normalised. */
export function findRoute(method: string, path: string): Route {
  const segments = path.split('/');
  const row = ROWS_BY_LENGTH.get(segments.length)?.find((candidate) =>
    candidate.segments.every((part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== '')),
  );
  if (row === undefined) return { kind: 'unknown' };
  const owner = row.owners.get(method);
  if (owner === undefined) return { kind: 'wrong-method', pattern: row.pattern, allow: [...row.owners.keys()] };
  return { kind: 'found', pattern: row.pattern, ...owner };
}

function pathRows(): PathRow[] {
  return [...Map.groupBy(ROUTES, ([, pattern]) => pattern)].map(([pattern, rows]) => ({
    pattern,
    segments: pattern.split('/'),
    owners: new Map<string, Owner>(rows.map(([method, , service, lane, queryNames]) => [method, { service, lane, queryNames }])),
  }));
}

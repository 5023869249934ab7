/** The services behind the door. */
export type ServiceName = 'payments' | 'bindings' | 'withdrawals' | 'notifier';

/** The whole public API: method, path, owning service. `{x}` is one segment. Spec: Endpoints; decisions "refunds", "POST /api/qr". */
// prettier-ignore
export const ROUTES = [
  ['POST', '/api/card',                             'payments'],
  ['GET',  '/api/card/{id}',                        'payments'],
  ['POST', '/api/card/{id}/refunds',                'payments'],
  ['GET',  '/api/card/{id}/refunds',                'payments'],
  ['POST', '/api/qr',                               'payments'],
  ['GET',  '/api/qr/{id}',                          'payments'],
  ['POST', '/api/qr/{id}/refunds',                  'payments'],
  ['GET',  '/api/qr/{id}/refunds',                  'payments'],
  ['GET',  '/api/refunds/{refundId}',               'payments'],
  ['GET',  '/api/payments/{paymentPointID}',        'payments'],
  ['GET',  '/api/integration/payment-points',       'payments'],
  ['PUT',  '/api/integration/endpoints',            'payments'],
  ['GET',  '/api/integration/endpoints',            'payments'],
  ['POST', '/api/integration/callback-secret',      'notifier'],
  ['POST', '/api/integration/test-callback',        'notifier'],
  ['POST', '/v1/recurring-payments',                'bindings'],
  ['GET',  '/v1/bindings',                          'bindings'],
  ['GET',  '/v1/bindings/{bindingId}',              'bindings'],
  ['POST', '/v1/bindings/{bindingId}/revoke',       'bindings'],
  ['GET',  '/api/withdrawal-balances/{storeID}',    'withdrawals'],
  ['POST', '/api/withdrawal-requests',              'withdrawals'],
  ['GET',  '/api/withdrawal-requests',              'withdrawals'],
  ['GET',  '/api/withdrawal-requests/{requestID}',  'withdrawals'],
] as const satisfies readonly (readonly [string, string, ServiceName])[];

/** A path of the table with everything that may be done to it. */
type PathRow = {
  readonly pattern: string;
  readonly segments: readonly string[];
  readonly services: ReadonlyMap<string, ServiceName>;
};

/** Where a request goes. */
export type Route =
  | { readonly kind: 'found'; readonly pattern: string; readonly service: ServiceName }
  | { readonly kind: 'wrong-method'; readonly pattern: string; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

/** By number of segments: a path is compared with two or three rows. */
const ROWS_BY_LENGTH: ReadonlyMap<number, readonly PathRow[]> = Map.groupBy(pathRows(), (row) => row.segments.length);

/** Finds a raw path (nothing decoded, nothing folded) in the table. */
export function findRoute(method: string, path: string): Route {
  const segments = path.split('/');
  const row = ROWS_BY_LENGTH.get(segments.length)?.find((candidate) =>
    candidate.segments.every(
      (part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''),
    ),
  );
  if (row === undefined) return { kind: 'unknown' };
  const service = row.services.get(method);
  if (service === undefined) return { kind: 'wrong-method', pattern: row.pattern, allow: [...row.services.keys()] };
  return { kind: 'found', pattern: row.pattern, service };
}

function pathRows(): PathRow[] {
  return [...Map.groupBy(ROUTES, ([, pattern]) => pattern)].map(([pattern, rows]) => ({
    pattern,
    segments: pattern.split('/'),
    services: new Map<string, ServiceName>(rows.map(([method, , service]) => [method, service])),
  }));
}

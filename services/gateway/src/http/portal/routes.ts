import type { ROUTES } from '../routes.ts';

type Operation<Row> = Row extends readonly [infer Method extends string, infer Path extends string, ...unknown[]]
  ? `${Method} ${Path}`
  : never;

/**
 * The operations of the public API that a session of the portal may use. What takes money from buyers (payments,
 * recurring charges) and what is not on its pages needs a signed request, so a stolen session cannot do it.
 */
const OPEN = [
  'GET /api/card',
  'GET /api/card/{id}',
  'GET /api/card/{id}/refunds',
  'GET /api/qr/{id}',
  'GET /api/qr/{id}/refunds',
  'GET /api/payments/{paymentPointID}',
  'GET /api/integration/payment-points',
  'GET /api/integration/endpoints',
  'PUT /api/integration/endpoints',
  'POST /api/integration/callback-secret',
  'POST /api/card/{id}/refunds',
  'POST /api/qr/{id}/refunds',
  'GET /api/registers/RUB',
  'GET /api/registers/RUB/{date}',
  'GET /api/registers/USDT',
  'GET /api/registers/USDT/{date}',
  'GET /api/withdrawal-balances/{storeID}',
  'GET /api/withdrawal-requests',
  'POST /api/withdrawal-requests',
  'POST /api/withdrawal-requests/{requestID}/cancel',
  'GET /api/requests',
  'GET /api/events',
  'GET /api/events/{eventId}',
  'POST /api/events/{eventId}/replay',
  'POST /api/integration/test-callback',
] as const satisfies readonly Operation<(typeof ROUTES)[number]>[];

type Open = (typeof OPEN)[number];
/**
 * The changes among them that need no fresh sign-in: they send what was sent before, to the saved address. Every other is
 * refused in a session that is older than some minutes (`demandFreshSession`).
 */
const HARMLESS = ['POST /api/events/{eventId}/replay', 'POST /api/integration/test-callback'] as const satisfies Open[];

const open: ReadonlySet<string> = new Set(OPEN);
const harmless: ReadonlySet<string> = new Set(HARMLESS);

/** Whether a session may use a method on a route's pattern. */
export const isOpenToPortal = (method: string, pattern: string): boolean => open.has(`${method} ${pattern}`);

/** Whether it moves money, addresses or secrets, so that the key has to have signed lately. */
export const needsFreshSession = (method: string, pattern: string): boolean => method !== 'GET' && !harmless.has(`${method} ${pattern}`);

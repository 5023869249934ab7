import type { Acquirer } from './acquirer.ts';

/** What a connector makes: an acquirer without bounds. */
export type Connector = Omit<Acquirer, 'takesOrders'> & { close(): Promise<void> };

/**
 * Operations of one process at one route at once, apart for whoever waits: partners (with 64 of them a bank that answers in 300 ms
 * takes 200 orders a second), buyers at the checkout, and our own looking after both. A bank that slows down fills its own
 * places and nobody else's.
 */
const PLACES = { orders: 64, buyers: 256, followUps: 64 } as const;

/** The most that can be at one bank at once: a pool of so many sockets never makes anybody wait. */
export const OPERATIONS_MAX = PLACES.orders + PLACES.buyers + PLACES.followUps;

/** Bounds what is at the bank: an operation that finds no place is `not-sent`, at once (ADR 0077). */
export function withPlaces(connector: Connector): Acquirer & { close(): Promise<void> } {
  const orders = createPlaces(PLACES.orders);
  const buyers = createPlaces(PLACES.buyers);
  const followUps = createPlaces(PLACES.followUps);
  return {
    get isAvailable() {
      return connector.isAvailable && buyers.isFree();
    },
    takesReceipts: connector.takesReceipts,
    get takesOrders() {
      return connector.isAvailable && orders.isFree();
    },
    register: (order, fence) => orders.hold(() => connector.register(order, fence)),
    createQr: (order, fence) => orders.hold(() => connector.createQr(order, fence)),
    charge: (charge, fence) => orders.hold(() => connector.charge(charge, fence)),
    prepareThreeDs: (operationId, card) => buyers.hold(() => connector.prepareThreeDs(operationId, card)),
    authorize: (authorization, fence) => buyers.hold(() => connector.authorize(authorization, fence)),
    confirmThreeDs: (operationId, fence, wanted) =>
      buyers.hold(() => connector.confirmThreeDs(operationId, fence, wanted)),
    read: (operationId, wanted) => followUps.hold(() => connector.read(operationId, wanted)),
    refund: (refund, fence) => followUps.hold(() => connector.refund(refund, fence)),
    readRefund: (refund) => followUps.hold(() => connector.readRefund(refund)),
    cancel: (operationId, fence) => followUps.hold(() => connector.cancel(operationId, fence)),
    cancelOthers: (operationId, kept, fence) => followUps.hold(() => connector.cancelOthers(operationId, kept, fence)),
    // One loop of one process reads it, page after page.
    readRegister: connector.readRegister,
    close: () => connector.close(),
  };
}

function createPlaces(count: number) {
  let taken = 0;
  return {
    isFree: () => taken < count,
    async hold<Result>(operation: () => Promise<Result>): Promise<Result | { readonly kind: 'not-sent' }> {
      if (taken >= count) return { kind: 'not-sent' };
      taken += 1;
      try {
        return await operation();
      } finally {
        taken -= 1;
      }
    },
  };
}

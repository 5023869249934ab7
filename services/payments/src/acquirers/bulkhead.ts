import type { Acquirer } from './acquirer.ts';

/** An acquirer without a limit of concurrent operations, as a connector creates it. */
export type Connector = Omit<Acquirer, 'takesOrders'> & { close(): Promise<void> };

/**
 * Concurrent operations of one process at one route, separate for each kind of caller: partners (64 are enough for 200 orders
 * a second at a bank that answers in 300 ms), buyers at the checkout, and our own follow-ups. A bank that slows down uses up its own
 * slots only.
 */
const SLOTS = { orders: 64, buyers: 256, followUps: 64 } as const;

/** The most concurrent operations at one bank: a pool with this many sockets never queues. */
export const OPERATIONS_MAX = SLOTS.orders + SLOTS.buyers + SLOTS.followUps;

/** Limits concurrent operations at the bank: one that finds no free slot is `not-sent` at once (decisions/bulkheads). */
export function withBulkheads(connector: Connector): Acquirer & { close(): Promise<void> } {
  const orders = createBulkhead(SLOTS.orders);
  const buyers = createBulkhead(SLOTS.buyers);
  const followUps = createBulkhead(SLOTS.followUps);
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
    confirmThreeDs: (operationId, fence, wanted) => buyers.hold(() => connector.confirmThreeDs(operationId, fence, wanted)),
    read: (operationId, wanted) => followUps.hold(() => connector.read(operationId, wanted)),
    refund: (refund, fence) => followUps.hold(() => connector.refund(refund, fence)),
    readRefund: (refund) => followUps.hold(() => connector.readRefund(refund)),
    cancel: (operationId, fence) => followUps.hold(() => connector.cancel(operationId, fence)),
    cancelOthers: (operationId, kept, fence) => followUps.hold(() => connector.cancelOthers(operationId, kept, fence)),
    // Only one loop of one process reads it, page by page.
    readRegister: connector.readRegister,
    close: () => connector.close(),
  };
}

function createBulkhead(count: number) {
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

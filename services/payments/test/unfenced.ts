import type { Authorization, CardDetails, Acquirer, AcquirerRefund, Charge, Order, WantedFacts } from '../src/acquirers/acquirer.ts';
import type { Fence, FenceAnswer } from '../src/domain/acquiring/fence.ts';

/** A lease that nobody takes away. */
export const HELD: Fence = { ask: () => Promise.resolve(leftNow(60_000)) };

/** What a fence says that has just been asked. */
export const leftNow = (leftMs: number): FenceAnswer => ({ leftMs, ageMs: () => 0 });

/** The first try of a card's refund, of whichever of the bank's payments took the money, unless something else is said. */
type Refunded = Pick<AcquirerRefund, 'operationId' | 'originalOperationId' | 'amountKopecks'> & Partial<AcquirerRefund>;
export const refundOf = (refund: Refunded): AcquirerRefund => ({
  bankOperationId: null,
  paidBy: 'CARD',
  isRepeat: false,
  money: { paid: refund.amountKopecks, returned: 0n, underWay: 0n, isAccepted: false },
  ...refund,
});

/** A card whose buyer need not be authenticated, unless it is said. */
type Authorized = Omit<Authorization, 'whenNotAuthenticated'> & Partial<Authorization>;

/** An acquirer for tests that are about the bank's answers: every operation has its lease. */
export function unfenced(acquirer: Acquirer & { close(): Promise<void> }) {
  return {
    get isAvailable() {
      return acquirer.isAvailable;
    },
    register: (order: Order) => acquirer.register(order, HELD),
    createQr: (order: Order) => acquirer.createQr(order, HELD),
    prepareThreeDs: (operationId: string, card: CardDetails) => acquirer.prepareThreeDs(operationId, card),
    authorize: (authorization: Authorized) => acquirer.authorize({ whenNotAuthenticated: 'ACCEPT', ...authorization }, HELD),
    confirmThreeDs: (operationId: string, wanted?: WantedFacts) => acquirer.confirmThreeDs(operationId, HELD, wanted),
    charge: (charge: Charge) => acquirer.charge(charge, HELD),
    cancelOthers: (operationId: string, kept: string) => acquirer.cancelOthers(operationId, kept, HELD),
    cancel: (operationId: string) => acquirer.cancel(operationId, HELD),
    refund: (refund: Refunded) => acquirer.refund(refundOf(refund), HELD),
    read: (operationId: string, wanted?: WantedFacts) => acquirer.read(operationId, wanted),
    readRefund: (refund: Refunded) => acquirer.readRefund(refundOf(refund)),
    readRegister: acquirer.readRegister,
    close: () => acquirer.close(),
  };
}

export type Unfenced = ReturnType<typeof unfenced>;

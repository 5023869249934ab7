import type {
  Authorization,
  CardDetails,
  Channel,
  ChannelRefund,
  Charge,
  Order,
  WantedFacts,
} from '../src/acquirers/acquirer.ts';
import type { Fence } from '../src/domain/acquiring/fence.ts';

/** A lease that nobody takes away. */
export const HELD: Fence = { leftMs: () => Promise.resolve(60_000) };

/** A refund of whichever of the bank's payments took the money, unless one is named. */
type Refunded = Omit<ChannelRefund, 'bankOperationId'> & Partial<ChannelRefund>;

/** A card whose buyer need not be authenticated, unless it is said. */
type Authorized = Omit<Authorization, 'whenNotAuthenticated'> & Partial<Authorization>;

/** A channel for tests that are about the bank's answers: every operation has its lease. */
export function unfenced(channel: Channel & { close(): Promise<void> }) {
  return {
    get isAvailable() {
      return channel.isAvailable;
    },
    register: (order: Order) => channel.register(order, HELD),
    createQr: (order: Order) => channel.createQr(order, HELD),
    prepareThreeDs: (operationId: string, card: CardDetails) => channel.prepareThreeDs(operationId, card),
    authorize: (authorization: Authorized) =>
      channel.authorize({ whenNotAuthenticated: 'ACCEPT', ...authorization }, HELD),
    confirmThreeDs: (operationId: string, wanted?: WantedFacts) => channel.confirmThreeDs(operationId, HELD, wanted),
    charge: (charge: Charge) => channel.charge(charge, HELD),
    cancelOthers: (operationId: string, kept: string) => channel.cancelOthers(operationId, kept, HELD),
    cancel: (operationId: string) => channel.cancel(operationId, HELD),
    refund: (refund: Refunded) => channel.refund({ bankOperationId: null, ...refund }, HELD),
    read: (operationId: string, wanted?: WantedFacts) => channel.read(operationId, wanted),
    readRefund: (refund: Refunded) => channel.readRefund({ bankOperationId: null, ...refund }),
    readRegister: channel.readRegister,
    close: () => channel.close(),
  };
}

export type Unfenced = ReturnType<typeof unfenced>;

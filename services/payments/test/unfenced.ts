import type { Authorization, Channel, ChannelRefund, Charge, Order, WantedFacts } from '../src/channels/channel.ts';
import type { Fence } from '../src/domain/fence.ts';

/** A lease that nobody takes away. */
export const HELD: Fence = { leftMs: () => Promise.resolve(60_000) };

/** A channel for tests that are about the bank's answers: every operation has its lease. */
export function unfenced(channel: Channel & { close(): Promise<void> }) {
  return {
    get isAvailable() {
      return channel.isAvailable;
    },
    register: (order: Order) => channel.register(order, HELD),
    createQr: (order: Order) => channel.createQr(order, HELD),
    authorize: (authorization: Authorization) => channel.authorize(authorization, HELD),
    confirmThreeDs: (operationId: string) => channel.confirmThreeDs(operationId, HELD),
    charge: (charge: Charge) => channel.charge(charge, HELD),
    cancel: (operationId: string) => channel.cancel(operationId, HELD),
    refund: (refund: ChannelRefund) => channel.refund(refund, HELD),
    read: (operationId: string, wanted?: WantedFacts) => channel.read(operationId, wanted),
    readRefund: (refund: ChannelRefund) => channel.readRefund(refund),
    readRegister: channel.readRegister,
    close: () => channel.close(),
  };
}

export type Unfenced = ReturnType<typeof unfenced>;

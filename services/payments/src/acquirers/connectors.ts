import type { Log } from '@pay/shared/logging/logger.ts';
import type { Channel, ChannelOf } from './acquirer.ts';
import { createSandboxBankChannel } from './sandbox-bank/sandbox-bank-acquirer.ts';
import { createTBankChannel } from './t-bank/t-bank-acquirer.ts';
import type { TBankAccount } from './t-bank/terminal.ts';

/** The connectors' names in `routes.connector`. */
export const SANDBOX_BANK = 'sandbox-bank';
export const T_BANK = 't-bank';
export const CONNECTORS = [SANDBOX_BANK, T_BANK] as const;

type Options = {
  readonly log: Log;
  /** Each is off where it is undefined. */
  readonly sandboxBank: { readonly url: string; readonly apiKey: string } | undefined;
  readonly tBank: TBankAccount | undefined;
};

type OpenChannel = Channel & { close(): Promise<void> };

/** The channels of this process: one a route, each with its own connections and breaker, made on first use. */
export function createChannels(options: Options): { readonly channelOf: ChannelOf; close(): Promise<void> } {
  const { log, sandboxBank, tBank } = options;
  const channels = new Map<string, OpenChannel>();
  const create = (routeId: string, connector: string): OpenChannel | undefined => {
    if (connector === SANDBOX_BANK && sandboxBank !== undefined) {
      return createSandboxBankChannel({ ...sandboxBank, routeId, log });
    }
    return connector === T_BANK && tBank !== undefined ? createTBankChannel({ ...tBank, routeId, log }) : undefined;
  };
  return {
    channelOf: ({ routeId, connector }) => {
      const channel = channels.get(routeId) ?? create(routeId, connector);
      if (channel !== undefined) channels.set(routeId, channel);
      return channel;
    },
    async close() {
      await Promise.all([...channels.values()].map((channel) => channel.close()));
    },
  };
}

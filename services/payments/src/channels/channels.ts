import type { Log } from '@pay/shared/logging/logger.ts';
import type { ChannelOf } from './channel.ts';
import { createSandboxBankChannel, type SandboxBankChannel } from './sandbox-bank/sandbox-bank-channel.ts';

/** The connector's name in `routes.connector`. */
export const SANDBOX_BANK = 'sandbox-bank';

type Options = {
  readonly log: Log;
  readonly sandboxBank: { readonly url: string; readonly apiKey: string } | undefined;
};

/** The channels of this process: one a route, each with its own connections and breaker, made on first use. */
export function createChannels(options: Options): { readonly channelOf: ChannelOf; close(): Promise<void> } {
  const channels = new Map<string, SandboxBankChannel>();
  return {
    channelOf: ({ routeId, connector }) => {
      const { sandboxBank, log } = options;
      if (connector !== SANDBOX_BANK || sandboxBank === undefined) return undefined;
      const known = channels.get(routeId);
      if (known !== undefined) return known;
      const channel = createSandboxBankChannel({ ...sandboxBank, routeId, log });
      channels.set(routeId, channel);
      return channel;
    },
    async close() {
      await Promise.all([...channels.values()].map((channel) => channel.close()));
    },
  };
}

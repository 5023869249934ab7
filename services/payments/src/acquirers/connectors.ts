import type { Log } from '@pay/shared/logging/logger.ts';
import type { Acquirer, AcquirerOf } from './acquirer.ts';
import { createSandboxBankAcquirer } from './sandbox-bank/sandbox-bank-acquirer.ts';
import { createTBankAcquirer } from './t-bank/t-bank-acquirer.ts';
import type { TBankAccount } from './t-bank/terminal.ts';

/** The connectors' names in `routes.connector`. */
export const SANDBOX_BANK = 'sandbox-bank';
export const T_BANK = 't-bank';
export const CONNECTORS = [SANDBOX_BANK, T_BANK] as const;

type Options = {
  readonly log: Log;
  /** A connector is off if its account is undefined. */
  readonly sandboxBank: { readonly url: string; readonly apiKey: string } | undefined;
  readonly tBank: TBankAccount | undefined;
};

type OpenAcquirer = Acquirer & { close(): Promise<void> };

/** The acquirers of this process: one per route, each with its own connections and breaker, created on first use. */
export function createAcquirers(options: Options): { readonly acquirerOf: AcquirerOf; close(): Promise<void> } {
  const { log, sandboxBank, tBank } = options;
  const acquirers = new Map<string, OpenAcquirer>();
  const create = (routeId: string, connector: string): OpenAcquirer | undefined => {
    if (connector === SANDBOX_BANK && sandboxBank !== undefined) {
      return createSandboxBankAcquirer({ ...sandboxBank, routeId, log });
    }
    return connector === T_BANK && tBank !== undefined ? createTBankAcquirer({ ...tBank, routeId, log }) : undefined;
  };
  return {
    acquirerOf: ({ routeId, connector }) => {
      const acquirer = acquirers.get(routeId) ?? create(routeId, connector);
      if (acquirer !== undefined) acquirers.set(routeId, acquirer);
      return acquirer;
    },
    async close() {
      await Promise.all([...acquirers.values()].map((acquirer) => acquirer.close()));
    },
  };
}

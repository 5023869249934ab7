import type { z } from 'zod';
import type { bankConfig } from '../bank-config.ts';
import type { TBankAccount } from './t-bank/terminal.ts';

/** Where T-Bank's notifications arrive, below the public origin of their listener. */
export const T_BANK_NOTIFICATIONS = '/notifications/t-bank';

type BankConfig = Readonly<z.output<z.ZodObject<typeof bankConfig>>>;

type BankAccounts = {
  readonly sandboxBank: { readonly url: string; readonly apiKey: string } | undefined;
  readonly tBank: TBankAccount | undefined;
};

/** Our accounts at the banks that are configured. */
export function bankAccountsOf(config: BankConfig): BankAccounts {
  const { SANDBOX_BANK_URL: url, SANDBOX_BANK_API_KEY: apiKey } = config;
  return {
    sandboxBank: url === undefined || apiKey === undefined ? undefined : { url, apiKey },
    tBank: tBankOf(config),
  };
}

function tBankOf(config: BankConfig): TBankAccount | undefined {
  const { T_BANK_TERMINAL_KEY: terminalKey, T_BANK_PASSWORD: password, T_BANK_CARD_KEY: cardKey } = config;
  if (terminalKey === undefined || password === undefined || cardKey === undefined) return undefined;
  const { T_BANK_URL: url, BANK_NOTIFICATIONS_URL: ourUrl } = config;
  const notificationUrl = ourUrl === undefined ? undefined : `${ourUrl}${T_BANK_NOTIFICATIONS}`;
  return { url, terminalKey, password, cardKey, notificationUrl };
}

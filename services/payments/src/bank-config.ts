import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { outsideUrl, secret } from '@pay/shared/config/config.ts';

/** An origin without a trailing slash. */
export const origin = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** The public key that encrypts card data for T-Bank: X.509 (SPKI), base64, RSA of 2048 bits or more. */
const rsaPublicKey = z.base64().transform((text, ctx) => {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) return key;
  } catch {
    // Reported below.
  }
  ctx.addIssue({ code: 'custom', message: 'must be an RSA public key of 2048 bits or more (X.509, DER in base64)' });
  return z.NEVER;
});

/** Our accounts at the banks. Both processes of this service call them (decisions/checkout). */
export const bankConfig = {
  SANDBOX_BANK_URL: origin.optional(),
  SANDBOX_BANK_API_KEY: secret(z.string().min(16)).optional(),
  /** The public origin of the notification listener, sent to banks that take an address. */
  BANK_NOTIFICATIONS_URL: outsideUrl.optional(),
  /** T-Bank's e-acquiring is off without a terminal. All three values come from the bank's merchant portal. */
  T_BANK_TERMINAL_KEY: z.string().min(1).max(20).optional(),
  T_BANK_PASSWORD: secret(z.string().min(1)).optional(),
  T_BANK_CARD_KEY: rsaPublicKey.optional(),
  T_BANK_URL: outsideUrl.default('https://securepay.tinkoff.ru'),
} as const;

/** The configuration that both processes share. */
type Checked = Readonly<z.output<z.ZodObject<typeof bankConfig>>> & {
  readonly ENVIRONMENT: 'TEST' | 'LIVE';
  readonly FORM_URL: string;
};

/** Reports to `problem` which settings of checkout and banks contradict each other, or the environment. */
export function checkBankConfig(config: Checked, problem: (name: string, message: string) => void): void {
  if (config.ENVIRONMENT === 'LIVE') {
    if (config.SANDBOX_BANK_URL !== undefined) problem('SANDBOX_BANK_URL', 'is refused with ENVIRONMENT=LIVE');
    if (config.SANDBOX_BANK_API_KEY !== undefined) problem('SANDBOX_BANK_API_KEY', 'is refused with ENVIRONMENT=LIVE');
    if (!config.FORM_URL.startsWith('https:')) problem('FORM_URL', 'must be https with ENVIRONMENT=LIVE');
  } else {
    if (config.SANDBOX_BANK_URL === undefined) problem('SANDBOX_BANK_URL', 'is required with ENVIRONMENT=TEST');
    if (config.SANDBOX_BANK_API_KEY === undefined) problem('SANDBOX_BANK_API_KEY', 'is required with ENVIRONMENT=TEST');
  }
  const tBank = [config.T_BANK_TERMINAL_KEY, config.T_BANK_PASSWORD, config.T_BANK_CARD_KEY];
  if (tBank.includes(undefined) && tBank.some((value) => value !== undefined)) {
    problem('T_BANK_TERMINAL_KEY', 'T_BANK_PASSWORD and T_BANK_CARD_KEY are given together, or none of them');
  }
}

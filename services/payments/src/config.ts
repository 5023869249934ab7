import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { flag, key32, ownHosts, port, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { encryptionConfig } from '@pay/shared/encryption/encryption-config.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';

const origin = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** The public key that encrypts card data for T-Bank: X.509 (SPKI), base64, RSA of 2048 bits or more. */
const rsaPublicKey = z.base64().transform((text, ctx) => {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) return key;
  } catch {
    // Said below.
  }
  ctx.addIssue({ code: 'custom', message: 'must be an RSA public key of 2048 bits or more (X.509, DER in base64)' });
  return z.NEVER;
});

/** What this service is configured with. */
export const Config = z
  .object({
    ...serviceConfig,
    AMQP_URL: secret(z.url({ protocol: /^amqps?$/ })),
    /** Verifies the gateway's tokens for this service. */
    INTERNAL_TOKEN_KEY: secret(key32),
    /** Where buyers' saved cards are read and revoked. */
    BINDINGS_URL: replicaUrls,
    /** Makes the tokens for bindings. */
    BINDINGS_INTERNAL_TOKEN_KEY: secret(key32),
    /** Verifies the console's tokens. */
    OPERATOR_TOKEN_KEY: secret(key32),
    FORM_PORT: port,
    /** Proxies of ours before the form: a buyer's address is the one they say they saw. */
    TRUSTED_PROXIES: trustedProxies,
    /** The public origin of the hosted form. */
    FORM_URL: origin,
    /** Of the banks' card tokens, and of the links to saved cards: a link stays good while its key is named here. */
    ...encryptionConfig,
    SANDBOX_BANK_URL: origin.optional(),
    SANDBOX_BANK_API_KEY: secret(z.string().min(16)).optional(),
    /** Signs the sandbox bank's notifications; without it they are not taken. */
    SANDBOX_BANK_NOTIFICATION_KEY: secret(key32).optional(),
    /** Listens for notifications of banks; without it there is no listener. */
    BANK_NOTIFICATIONS_PORT: port.optional(),
    /** The public origin of that listener: banks that are told where to send are told this. */
    BANK_NOTIFICATIONS_URL: origin.optional(),
    /** T-Bank's e-acquiring is off without a terminal. All three come from its cabinet. */
    T_BANK_TERMINAL_KEY: z.string().min(1).max(20).optional(),
    T_BANK_PASSWORD: secret(z.string().min(1)).optional(),
    T_BANK_CARD_KEY: rsaPublicKey.optional(),
    T_BANK_URL: origin.default('https://securepay.tinkoff.ru'),
    CALLBACK_ALLOW_PRIVATE: flag.default(false),
    OWN_HOSTS: ownHosts,
  })
  .superRefine((config, ctx) => {
    const problem = (name: string, message: string) => {
      ctx.addIssue({ code: 'custom', path: [name], message });
    };
    if (config.ENVIRONMENT === 'LIVE') {
      if (config.CALLBACK_ALLOW_PRIVATE) problem('CALLBACK_ALLOW_PRIVATE', 'is refused with ENVIRONMENT=LIVE');
      if (config.SANDBOX_BANK_URL !== undefined) problem('SANDBOX_BANK_URL', 'is refused with ENVIRONMENT=LIVE');
      if (config.SANDBOX_BANK_API_KEY !== undefined)
        problem('SANDBOX_BANK_API_KEY', 'is refused with ENVIRONMENT=LIVE');
      if (!config.FORM_URL.startsWith('https:')) problem('FORM_URL', 'must be https with ENVIRONMENT=LIVE');
      if (config.SANDBOX_BANK_NOTIFICATION_KEY !== undefined)
        problem('SANDBOX_BANK_NOTIFICATION_KEY', 'is refused with ENVIRONMENT=LIVE');
      if (!config.T_BANK_URL.startsWith('https:')) problem('T_BANK_URL', 'must be https with ENVIRONMENT=LIVE');
    } else {
      if (config.SANDBOX_BANK_URL === undefined) problem('SANDBOX_BANK_URL', 'is required with ENVIRONMENT=TEST');
      if (config.SANDBOX_BANK_API_KEY === undefined)
        problem('SANDBOX_BANK_API_KEY', 'is required with ENVIRONMENT=TEST');
    }
    const tBank = [config.T_BANK_TERMINAL_KEY, config.T_BANK_PASSWORD, config.T_BANK_CARD_KEY];
    if (tBank.includes(undefined) && tBank.some((value) => value !== undefined)) {
      problem('T_BANK_TERMINAL_KEY', 'T_BANK_PASSWORD and T_BANK_CARD_KEY are given together, or none of them');
    }
  });
export type Config = Readonly<z.output<typeof Config>>;

/** What the re-encryption command needs. */
export const ReencryptConfig = z.object({ ...encryptionConfig, DATABASE_URL: serviceConfig.DATABASE_URL });

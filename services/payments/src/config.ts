import { z } from 'zod';
import { flag, key32, port, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';

const origin = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

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
    /** How many proxies of ours stand before the form: a buyer's address is taken from the one they say they saw. */
    FORM_PROXY_HOPS: z.coerce.number().int().min(0).max(9).default(0),
    /** The public origin of the hosted form. */
    FORM_URL: origin,
    /** Encrypts card tokens at rest. */
    ENCRYPTION_KEY: secret(key32),
    ENCRYPTION_KEY_ID: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/),
    SANDBOX_BANK_URL: origin.optional(),
    SANDBOX_BANK_API_KEY: secret(z.string().min(16)).optional(),
    CALLBACK_ALLOW_PRIVATE: flag.default(false),
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
    } else {
      if (config.SANDBOX_BANK_URL === undefined) problem('SANDBOX_BANK_URL', 'is required with ENVIRONMENT=TEST');
      if (config.SANDBOX_BANK_API_KEY === undefined)
        problem('SANDBOX_BANK_API_KEY', 'is required with ENVIRONMENT=TEST');
    }
  });
export type Config = Readonly<z.output<typeof Config>>;

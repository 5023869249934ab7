import { identityPublicKeys } from '@pay/shared/keys/identity-keys.ts';
import { factSigningKeys } from '@pay/shared/broker/fact-keys.ts';
import { z } from 'zod';
import { amqpUrl, commandConfig, flag, key32, ownHosts, port, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { encryptionConfig } from '@pay/shared/encryption/encryption-config.ts';
import { refundLimitsText } from './refund-limits.ts';
import { bankConfig, checkBankConfig, origin } from './bank-config.ts';

/** The configuration of the API process; the checkout's is in `checkout-config.ts`. */
export const Config = z
  .object({
    ...serviceConfig,
    AMQP_URL: amqpUrl,
    /** The key that signs each consumer's copies. */
    FACT_SIGNING_KEYS: factSigningKeys,
    /** Verifies the gateway's tokens for this service. */
    INTERNAL_TOKEN_KEY: secret(key32),
    /** Still accepted while the key is being rotated. */
    INTERNAL_TOKEN_KEY_PREVIOUS: secret(key32).optional(),
    /** The console's keys, which sign the identities of operators. */
    OPERATOR_IDENTITY_PUBLIC_KEYS: identityPublicKeys,
    OPERATOR_REFUND_LIMIT_RUB: refundLimitsText,
    /** The public origin of the checkout: the base of every payment page. */
    FORM_URL: origin,
    /** Asked before a saved card is charged. */
    BINDINGS_URL: replicaUrls,
    /** Told of a partner's addresses and extra events before they are answered with 200. */
    NOTIFIER_URL: replicaUrls,
    /** Signs the tokens for bindings. */
    BINDINGS_INTERNAL_TOKEN_KEY: secret(key32),
    /** Encrypts the banks' card tokens. */
    ...encryptionConfig,
    ...bankConfig,
    /** Signs the sandbox bank's notifications; without it they are refused. */
    SANDBOX_BANK_NOTIFICATION_KEY: secret(key32).optional(),
    /** The other key during a rotation. */
    SANDBOX_BANK_NOTIFICATION_KEY_PREVIOUS: secret(key32).optional(),
    /** The terminal's other password during a change: it verifies notifications and signs nothing. */
    T_BANK_PASSWORD_PREVIOUS: secret(z.string().min(1)).optional(),
    /** Port of the listener for bank notifications; without it there is no listener. */
    BANK_NOTIFICATIONS_PORT: port.optional(),
    CALLBACK_ALLOW_PRIVATE: flag.default(false),
    OWN_HOSTS: ownHosts,
  })
  .superRefine((config, ctx) => {
    const problem = (name: string, message: string) => {
      ctx.addIssue({ code: 'custom', path: [name], message });
    };
    checkBankConfig(config, problem);
    if (config.ENVIRONMENT === 'LIVE') {
      if (config.CALLBACK_ALLOW_PRIVATE) problem('CALLBACK_ALLOW_PRIVATE', 'is refused with ENVIRONMENT=LIVE');
      for (const name of ['SANDBOX_BANK_NOTIFICATION_KEY', 'SANDBOX_BANK_NOTIFICATION_KEY_PREVIOUS'] as const)
        if (config[name] !== undefined) problem(name, 'is refused with ENVIRONMENT=LIVE');
    }
  });
export type Config = Readonly<z.output<typeof Config>>;

/** The configuration of the re-encryption command. */
export const ReencryptConfig = z.object({ ...encryptionConfig, ...commandConfig });

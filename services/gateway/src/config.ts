import { key32, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { identityPublicKeys } from '@pay/shared/keys/identity-keys.ts';
import { z } from 'zod';

/** This service's configuration. Every key is 32 bytes in base64. */
export const Config = z.object({
  ...serviceConfig,
  /** The console's public keys: it vouches for its operators. */
  OPERATOR_IDENTITY_PUBLIC_KEYS: identityPublicKeys,
  /**
   * Failed authentications allowed per registered key or, for requests that name none, per source address. See
   * spec/decisions#rate-limit.
   */
  FAILED_AUTHENTICATIONS_PER_MINUTE: z.coerce.number().int().min(1).default(1_200),
  /** Our own proxies in front of the public API. The caller's address is the one they report. */
  TRUSTED_PROXIES: trustedProxies,
  PAYMENTS_URL: replicaUrls,
  BINDINGS_URL: replicaUrls,
  WITHDRAWALS_URL: replicaUrls,
  NOTIFIER_URL: replicaUrls,
  PAYMENTS_INTERNAL_TOKEN_KEY: secret(key32),
  BINDINGS_INTERNAL_TOKEN_KEY: secret(key32),
  WITHDRAWALS_INTERNAL_TOKEN_KEY: secret(key32),
  NOTIFIER_INTERNAL_TOKEN_KEY: secret(key32),
});

import { z } from 'zod';
import { key32, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { encryptionConfig } from '@pay/shared/encryption/encryption-config.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { bankConfig, checkBankConfig, origin } from './bank-config.ts';

const unpaidCards = z.coerce.number().int().min(1).max(100_000);

/** The configuration of the checkout process. It has no key of the gateway, the console or the broker. */
export const CheckoutConfig = z
  .object({
    ...serviceConfig,
    /** The public origin of the checkout. */
    FORM_URL: origin,
    /** Our proxies in front of the checkout, trusted to report the buyer's address. */
    TRUSTED_PROXIES: trustedProxies,
    /** Where the page check fetches the checkout page from outside (PCI DSS 11.6.1); by default FORM_URL. */
    PAGE_CHECK_URL: origin.optional(),
    /** Requests per minute from one buyer's address, checked before anything is looked up. */
    REQUESTS_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().min(60).default(1_200),
    /** How often one buyer's address may make us ask a bank, per minute. */
    BANK_ASKS_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().min(10).default(300),
    /**
     * Unpaid cards within any ten minutes: from one address, with one BIN, at one payment point. The next one is held back,
     * because it looks like card testing (decisions/card-testing).
     */
    UNPAID_CARDS_PER_ADDRESS: unpaidCards.default(20),
    UNPAID_CARDS_PER_BIN: unpaidCards.default(60),
    UNPAID_CARDS_PER_POINT: unpaidCards.default(300),
    /** Where buyers' saved cards are read and revoked. */
    BINDINGS_URL: replicaUrls,
    /** Signs the tokens for bindings. */
    BINDINGS_INTERNAL_TOKEN_KEY: secret(key32),
    /** Encrypts the banks' card tokens and signs the links to saved cards: a link is valid while its key is listed here. */
    ...encryptionConfig,
    ...bankConfig,
  })
  .superRefine((config, ctx) => {
    checkBankConfig(config, (name, message) => {
      ctx.addIssue({ code: 'custom', path: [name], message });
    });
  });
export type CheckoutConfig = Readonly<z.output<typeof CheckoutConfig>>;

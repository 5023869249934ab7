import { z } from 'zod';
import { key32, replicaUrls, secret, serviceConfig } from '@pay/shared/config/config.ts';
import { encryptionConfig } from '@pay/shared/encryption/encryption-config.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { bankConfig, checkBankConfig, origin } from './bank-config.ts';

const unpaidCards = z.coerce.number().int().min(1).max(100_000);

/** What the checkout's process is configured with. It has no key of the gateway, the console or the broker. */
export const CheckoutConfig = z
  .object({
    ...serviceConfig,
    /** The checkout's public origin. */
    FORM_URL: origin,
    /** Proxies of ours before the checkout: a buyer's address is the one they say they saw. */
    TRUSTED_PROXIES: trustedProxies,
    /** Where the checkout's own look at its page from outside goes (PCI DSS 11.6.1); by default where buyers go. */
    PAGE_CHECK_URL: origin.optional(),
    /** What one buyer's address may send a minute, before anything is looked up. */
    REQUESTS_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().min(60).default(1_200),
    /** How often one buyer's address may have a bank asked in a minute. */
    BANK_ASKS_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().min(10).default(300),
    /**
     * Cards that brought no money, in any ten minutes: of one address, of one BIN, at one payment point. One more is held back: it is
     * card testing, or looks like it (ADR 0107).
     */
    UNPAID_CARDS_PER_ADDRESS: unpaidCards.default(20),
    UNPAID_CARDS_PER_BIN: unpaidCards.default(60),
    UNPAID_CARDS_PER_POINT: unpaidCards.default(300),
    /** Where buyers' saved cards are read and revoked. */
    BINDINGS_URL: replicaUrls,
    /** Makes the tokens for bindings. */
    BINDINGS_INTERNAL_TOKEN_KEY: secret(key32),
    /** Of the banks' card tokens, and of the links to saved cards: a link stays good while its key is named here. */
    ...encryptionConfig,
    ...bankConfig,
  })
  .superRefine((config, ctx) => {
    checkBankConfig(config, (name, message) => {
      ctx.addIssue({ code: 'custom', path: [name], message });
    });
  });
export type CheckoutConfig = Readonly<z.output<typeof CheckoutConfig>>;

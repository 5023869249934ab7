import type { Db } from '@pay/shared/postgres/db.ts';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Bindings } from './bindings/bindings.ts';
import type { AcquirerOf } from './acquirers/acquirer.ts';
import type { RefundLimits } from './domain/proposal/proposal.ts';
import type { VelocityCounts } from './domain/checkout/velocity.ts';

/** What the use cases of this service work with in either of its processes (ADR 0105): the API's and the checkout's. */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  /** TEST or LIVE, as the buyer is told. */
  readonly environment: 'TEST' | 'LIVE';
  /** The acquirer of a payment route. */
  readonly acquirerOf: AcquirerOf;
  /** For card tokens at rest. */
  readonly encryptionKeys: EncryptionKeys;
  /** Origin of the checkout, without a slash at the end: `https://pay.example`. */
  readonly checkoutUrl: string;
  /** Who keeps consents and bindings: asked before a card is charged, and when its buyer looks at it or revokes it. */
  readonly bindings: Bindings;
};

/** What partners and operators are served with; built in `main.ts`. */
export type ApiDeps = Deps & {
  /** Connections of their own for partners' reads: commands that wait for a lock or a connection are not in their way. */
  readonly reads: Db;
  /** Of the lists of this service; each list's scope begins with its name. */
  readonly pageTokens: PageTokens;
  /** TEST only: plain http and loopback are taken as callback and return addresses. */
  readonly allowPrivateAddresses: boolean;
  /** Names and addresses of this system: no callbackUrl may be one. */
  readonly ownHosts?: readonly string[];
  /** What one person of a role gives back of one payment; more takes a second one. */
  readonly refundLimits: RefundLimits;
  /** Name servers (`ip:port`) instead of the system's: tests run one of their own. */
  readonly dnsServers?: readonly string[];
};

/** What buyers are served with; built in `checkout-main.ts`. */
export type CheckoutDeps = Deps & {
  /** How many cards that brought no money may have something in common. */
  readonly velocity: VelocityCounts;
};

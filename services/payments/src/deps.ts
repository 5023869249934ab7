import type { Db } from '@pay/shared/postgres/db.ts';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { HandOver } from '@pay/shared/facts/hand-over.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { OperationIds } from '@pay/shared/identities/operation-ids.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Bindings } from './bindings/bindings.ts';
import type { AcquirerOf } from './acquirers/acquirer.ts';
import type { RefundLimits } from './domain/proposal/proposal.ts';
import type { VelocityCounts } from './domain/checkout/velocity.ts';

/** The dependencies of use cases in both processes of this service, API and checkout (decisions/checkout). */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  /** TEST or LIVE, as shown to the buyer. */
  readonly environment: 'TEST' | 'LIVE';
  /** The acquirer of a payment route. */
  readonly acquirerOf: AcquirerOf;
  /** Ids of the operations that are sent to banks. */
  readonly operationIds: OperationIds;
  /** For card tokens at rest. */
  readonly encryptionKeys: EncryptionKeys;
  /** Origin of the checkout, without a trailing slash: `https://pay.example`. */
  readonly checkoutUrl: string;
  /** The service that owns consents and bindings: asked before a card is charged, and when its buyer views or revokes it. */
  readonly bindings: Bindings;
};

/** The dependencies of the partner and operator APIs; built in `main.ts`. */
export type ApiDeps = Deps & {
  /** A pool for partners' reads, so that they do not queue behind commands that wait for a lock or a connection. */
  readonly reads: Db;
  /** Told of a partner's addresses before the partner is. */
  readonly notifier: HandOver;
  /** For the lists of this service; each list's scope begins with its name. */
  readonly pageTokens: PageTokens;
  /** TEST only: callback and return addresses may use plain http and loopback. */
  readonly allowPrivateAddresses: boolean;
  /** Host names and addresses of this system, which no callbackUrl may use. */
  readonly ownHosts?: readonly string[];
  /**
   * How much a person of each role may refund of one payment, book for one partner in a day, or return in a day; more takes a second
   * person.
   */
  readonly refundLimits: RefundLimits;
  /** Name servers (`ip:port`) to use instead of the system's, for tests. */
  readonly dnsServers?: readonly string[];
};

/** The dependencies of the checkout; built in `checkout-main.ts`. */
export type CheckoutDeps = Deps & {
  /** How many unpaid cards may share an attribute. */
  readonly velocity: VelocityCounts;
};

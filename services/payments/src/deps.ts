import type { Db } from '@pay/shared/database/database.ts';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Bindings } from './bindings/bindings.ts';
import type { ChannelOf } from './channels/channel.ts';

/** What the use cases of this service work with; built once in `main.ts`. */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  /** TEST or LIVE, as the buyer is told. */
  readonly environment: 'TEST' | 'LIVE';
  /** The channel of a payment route. */
  readonly channelOf: ChannelOf;
  /** Who keeps consents and bindings: asked when a buyer looks at a saved card, and to revoke it. */
  readonly bindings: Bindings;
  /** Of the lists of this service; each list's scope begins with its name. */
  readonly pageTokens: PageTokens;
  /** For card tokens at rest. */
  readonly encryptionKeys: EncryptionKeys;
  /** Origin of the hosted form, without a slash at the end: `https://pay.example`. */
  readonly formUrl: string;
  /** TEST only: plain http and loopback are taken as callback and return addresses. */
  readonly allowPrivateAddresses: boolean;
  /** Names and addresses of this system: no callbackUrl may be one. */
  readonly ownHosts?: readonly string[];
  /** Name servers (`ip:port`) instead of the system's: tests run one of their own. */
  readonly dnsServers?: readonly string[];
};

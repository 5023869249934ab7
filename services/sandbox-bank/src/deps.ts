import type { Db } from '@pay/shared/postgres/db.ts';
import type { Faults } from './faults.ts';
import type { Notifier } from './notifier.ts';

/** Dependencies of the use cases. */
export type Deps = {
  readonly db: Db;
  /** A new unguessable id: 128 random bits in hex. */
  readonly newId: () => string;
};

/** Additional dependencies of the routes. */
export type HttpDeps = Deps & {
  readonly faults: Faults;
  /** The bank's origin as buyers see it, without a trailing slash. */
  readonly publicUrl: string;
  /** Notifies the merchant of results; undefined: the merchant has to ask. */
  readonly notifier: Notifier | undefined;
  /** The merchant's bearer keys for the acquirer API: two during a key rotation. */
  readonly apiKeys: readonly string[];
};

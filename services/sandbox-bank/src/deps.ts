import type { Db } from '@pay/shared/postgres/db.ts';
import type { Faults } from './faults.ts';
import type { Notifier } from './notifier.ts';

/** What use cases work with. */
export type Deps = {
  readonly db: Db;
  /** A new id that cannot be guessed: 128 random bits in hex. */
  readonly newId: () => string;
};

/** What routes need beside that. */
export type HttpDeps = Deps & {
  readonly faults: Faults;
  /** The bank's origin as buyers see it, without a slash at the end. */
  readonly publicUrl: string;
  /** Tells the merchant how operations ended; undefined: it has to ask. */
  readonly notifier: Notifier | undefined;
  /** The merchant's bearer keys of the acquirer API: two while one is changed. */
  readonly apiKeys: readonly string[];
};

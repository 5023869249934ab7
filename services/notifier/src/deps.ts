import type { Db } from '@pay/shared/postgres/db.ts';
import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { NewEvent } from './db/events.ts';

/** What the notifier's use cases work with. */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  readonly encryptionKeys: EncryptionKeys;
  /** There is something to deliver: starts the engine of this replica now, and soon those of the others. */
  readonly wakeDelivery: () => void;
  /** Stores new events, each once, and starts what of them may be sent. @throws Error of the database: none is stored. */
  readonly storeEvents: (events: readonly NewEvent[]) => Promise<void>;
};

import type { EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { Pause } from '@pay/shared/time/pause.ts';
import type { DeliveryLoop } from './delivery/loop.ts';
import type { Stored } from './delivery/stored.ts';

/** Dependencies of the notifier's use cases. */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  readonly encryptionKeys: EncryptionKeys;
  /**
   * Stores new events and starts their delivery. Woken when something else is due, and soon wakes the other replicas.
   */
  readonly delivery: Pick<DeliveryLoop, 'store' | 'wake'>;
  /** Told of stored events, for streams. */
  readonly stored: Stored;
  /** Woken when a replay was started. */
  readonly replays: Pause;
};

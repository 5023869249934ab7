import type { Client } from '@pay/sdk';
import type { Config } from './config.ts';
import type { Database } from './database.ts';

/** What every part of the shop works with. */
export type Shop = {
  readonly config: Config;
  readonly db: Database;
  readonly client: Client;
  /** One line for whoever runs the shop. It never contains a secret. */
  readonly log: (line: string) => void;
};

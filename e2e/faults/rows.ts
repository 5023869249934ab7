import { BANK_ROWS } from './rows-bank.ts';
import { BROKER_ROWS } from './rows-broker.ts';
import { DATABASE_ROWS } from './rows-database.ts';
import { POOLER_ROWS } from './rows-pooler.ts';
import { PROCESS_ROWS } from './rows-process.ts';
import { RELEASE_ROWS } from './rows-release.ts';
import { STANDBY_ROWS } from './rows-standby.ts';
import type { Row } from './table.ts';

/** Every fault of the table, in its order. */
export const ROWS: readonly Row[] = [
  ...DATABASE_ROWS,
  ...STANDBY_ROWS,
  ...BROKER_ROWS,
  ...PROCESS_ROWS,
  ...RELEASE_ROWS,
  ...BANK_ROWS,
  ...POOLER_ROWS,
];

import { createLog } from '../src/logging/logger.ts';
import { createOwners, type Owners } from '../src/facts/owners.ts';

/** For a service in a test that consumes no facts. */
export const noOwners = (consumer: string): Owners =>
  createOwners({ consumer, facts: {}, keys: new Map(), urls: {}, log: createLog(consumer, 'silent') });

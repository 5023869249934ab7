import { createLog } from '../src/logging/logger.ts';
import { createOwners, type Owners } from '../src/facts/owners.ts';

/** Of a service in a test that hears nobody. */
export const noOwners = (consumer: string): Owners =>
  createOwners({ consumer, facts: {}, keys: new Map(), urls: {}, log: createLog(consumer, 'silent') });

import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from './advisory-locks.ts';

it('gives no number twice', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it.each([
  ['gateway/migrations/0008_attach_nonce_partitions.sql', ADVISORY_LOCKS.rollNoncePartitions],
  ['payments/migrations/0025_keep_what_was_published.sql', ADVISORY_LOCKS.rollPublishedPartitions],
  ['notifier/migrations/0022_keep_attempts_by_day.sql', ADVISORY_LOCKS.rollAttemptsPartitions],
])('has the number of %s', (file, number) => {
  const migration = readFileSync(new URL(`../../../../services/${file}`, import.meta.url), 'utf8');
  expect(migration).toContain(`pg_advisory_xact_lock(${String(number)})`);
});

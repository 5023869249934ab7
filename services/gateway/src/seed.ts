import { text } from 'node:stream/consumers';
import { readConfig, seedConfig } from '@pay/shared/config/config.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { z } from 'zod';
import { seedPartner } from './use-cases/seed-partner.ts';

// Reads two partners as JSON from stdin and makes them active, with active keys. A second run changes nothing.
const Config = z.object(seedConfig);
const SeededPartner = z.object({ partnerID: z.string().min(1), publicKey: z.string().min(1) });
const Seed = z.object({ demo: SeededPartner, other: SeededPartner });

/** See spec/decisions#rate-limit. Benchmarks run as the demo partner. */
const DEMO_RATE_PER_SECOND = 100_000;

const config = readConfig(Config, process.env);
const { demo, other } = Seed.parse(JSON.parse(await text(process.stdin)));
const database = openDatabase({
  url: directUrlOf(config),
  applicationName: 'gateway-seed',
  onIdleError: () => undefined,
});
try {
  const fast = { ratePerSecond: DEMO_RATE_PER_SECOND, burst: DEMO_RATE_PER_SECOND };
  await seedPartner(database.db, { ...demo, name: 'Demo partner', limit: fast });
  await seedPartner(database.db, { ...other, name: 'Other partner' });
} finally {
  await database.close();
}

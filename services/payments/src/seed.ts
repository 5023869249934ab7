import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { readConfig, seedConfig } from '@pay/shared/config/config.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { seedPartner } from './use-cases/merchant/seed-partner.ts';

// Reads two partners as JSON from stdin and gives each a store and its payment points. A second run changes nothing.
const Config = z.object(seedConfig);
const SeededPartner = z.object({
  partnerID: z.string().min(1),
  storeID: z.string().min(1),
  paymentPoints: z.object({ card: z.string().min(1), qr: z.string().min(1) }),
});
const Seed = z.object({ demo: SeededPartner, other: SeededPartner });

const config = readConfig(Config, process.env);
const { demo, other } = Seed.parse(JSON.parse(await text(process.stdin)));
const database = openDatabase({
  url: directUrlOf(config),
  applicationName: 'payments-seed',
  onIdleError: () => undefined,
});
try {
  // Only the demo partner may show consents in its own interface, so that both cases can be tried.
  await seedPartner(database.db, { ...demo, storeName: 'Demo store', merchantConsent: true });
  await seedPartner(database.db, { ...other, storeName: 'Other store', merchantConsent: false });
} finally {
  await database.close();
}

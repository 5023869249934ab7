import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { readConfig, seedConfig } from '@pay/shared/config/config.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { parseUsdt } from '@pay/shared/money/money.ts';
import { seedPartner } from './use-cases/seed-partner.ts';

// Reads two partners as JSON from stdin. Gives each a store and a recipient, and the demo partner USDT as well.
// A second run changes nothing.
const Config = z.object(seedConfig);
const usdt = z.string().transform((value, ctx): bigint => {
  const micro = parseUsdt(value);
  if (micro !== undefined) return micro;
  ctx.addIssue({ code: 'custom', message: 'must be an amount of USDT' });
  return z.NEVER;
});
const SeededPartner = z.object({
  partnerID: z.string().min(1),
  storeID: z.string().min(1),
  beneficiaryRef: z.string().min(1),
});
const Seed = z.object({ demo: SeededPartner.extend({ usdtBalance: usdt }), other: SeededPartner });

const config = readConfig(Config, process.env);
const { demo, other } = Seed.parse(JSON.parse(await text(process.stdin)));
const database = openDatabase({
  url: directUrlOf(config),
  applicationName: 'withdrawals-seed',
  onIdleError: () => undefined,
});
try {
  const { usdtBalance: fundedMicroUsdt, ...partner } = demo;
  await seedPartner(database.db, { ...partner, storeName: 'Demo store', fundedMicroUsdt });
  await seedPartner(database.db, { ...other, storeName: 'Other store' });
} finally {
  await database.close();
}

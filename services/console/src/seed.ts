import { text } from 'node:stream/consumers';
import { hashPassword } from 'better-auth/crypto';
import { z } from 'zod';
import { readConfig, seedConfig } from '@pay/shared/config/config.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { ROLES } from '@pay/shared/operators/roles.ts';
import { seedOperators } from './use-cases/seed-operators.ts';

// Reads people as JSON from stdin and lets them sign in with these passwords. TEST only. A second run changes nothing.
const Config = z.object(seedConfig);
const Seed = z.object({
  operators: z.array(z.object({ login: z.email(), name: z.string().min(1), role: z.enum(ROLES), password: z.string().min(12) })),
});

const config = readConfig(Config, process.env);
const { operators } = Seed.parse(JSON.parse(await text(process.stdin)));
const database = openDatabase({
  url: directUrlOf(config),
  applicationName: 'console-seed',
  onIdleError: () => undefined,
});
try {
  await seedOperators(database.db, operators, hashPassword);
} finally {
  await database.close();
}

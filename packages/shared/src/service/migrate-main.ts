import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readConfig, secret } from '../config/config.ts';
import { migrateDatabase } from '../database/migrate.ts';

const Config = z.object({
  /** LIVE unless said otherwise: its clock cannot be moved. */
  ENVIRONMENT: z.enum(['TEST', 'LIVE']).default('LIVE'),
  DATABASE_URL: secret(z.url({ protocol: /^postgres(ql)?$/ })),
});

/** The whole of a service's `src/migrate.ts`: migrates its schema and ends. Exit status 1 and one line when it can't. */
export async function migrateMain(schema: string, folder: URL): Promise<void> {
  try {
    const { ENVIRONMENT: environment, DATABASE_URL: url } = readConfig(Config, process.env);
    await migrateDatabase({ url, schema, folder: fileURLToPath(folder), environment });
  } catch (error) {
    process.stderr.write(`${schema}: migration failed: ${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof Error && error.cause instanceof Error) process.stderr.write(`${error.cause.message}\n`);
    process.exitCode = 1;
  }
}

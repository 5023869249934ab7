import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { commandConfig, readConfig } from '../config/config.ts';
import type { Grants } from '../postgres/grants.ts';
import { migrateDatabase } from '../postgres/migrate.ts';
import { demandSession, directUrlOf } from '../postgres/connect/sessions.ts';

const Config = z.object({
  /** The environment decides the schema's clock, the address is of the schema's owner. */
  ...commandConfig,
  /** The role that the service runs as; by default it is named like the schema. */
  DATABASE_ROLE: z.string().optional(),
});

/**
 * The whole of a service's `src/migrate.ts`: migrates its schema, gives its role its rights, and ends. Exit status 1 and
 * one line when it can't.
 */
export async function migrateMain(schema: string, folder: URL, grants: Grants): Promise<void> {
  try {
    const config = readConfig(Config, process.env);
    // One lock of a session is held through the whole run.
    await demandSession(config);
    await migrateDatabase({
      url: directUrlOf(config),
      schema,
      folder: fileURLToPath(folder),
      environment: config.ENVIRONMENT,
      role: config.DATABASE_ROLE ?? schema,
      grants,
    });
  } catch (error) {
    process.stderr.write(`${schema}: migration failed: ${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof Error && error.cause instanceof Error) process.stderr.write(`${error.cause.message}\n`);
    process.exitCode = 1;
  }
}

import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { commandConfig, readConfig } from '../config/config.ts';
import type { Grants } from '../postgres/grants.ts';
import { migrateDatabase } from '../postgres/migrate.ts';
import { demandSession, directUrlOf } from '../postgres/connect/sessions.ts';

const Config = z.object({
  /** The environment decides the schema's clock; the URL is of the schema's owner. */
  ...commandConfig,
  /** The role that the service runs as; by default it has the schema's name. */
  DATABASE_ROLE: z.string().optional(),
});

/**
 * All of a service's `src/migrate.ts`: migrates its schema, grants its role the privileges, and ends. On failure exit
 * status 1 and one line.
 */
export async function migrateMain(schema: string, folder: URL, grants: Grants): Promise<void> {
  try {
    const config = readConfig(Config, process.env);
    // A session lock is held through the whole run.
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

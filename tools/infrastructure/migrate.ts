import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrateDatabase } from '../../packages/shared/src/database/migrate.ts';
import { ROOT } from './folders.ts';
import { SCHEMAS, SERVICES, type ServiceName } from './provision.ts';

/** What `node services/<service>/src/migrate.ts` does, without a process for each: seven of them take as many seconds. */
export async function migrateService(service: ServiceName, url: string): Promise<void> {
  const folder = join(ROOT, 'services', service, 'migrations');
  if (!existsSync(join(folder, 'meta/_journal.json'))) return;
  await migrateDatabase({ url, schema: SCHEMAS[service], folder: pathToFileURL(folder).pathname, environment: 'TEST' });
}

/** Brings every schema to its newest migration. */
export async function migrateAll(urls: Readonly<Partial<Record<ServiceName, string>>>): Promise<void> {
  for (const service of SERVICES) {
    const url = urls[service];
    if (url !== undefined) await migrateService(service, url);
  }
}

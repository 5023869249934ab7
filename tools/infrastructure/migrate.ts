import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Grants } from '../../packages/shared/src/postgres/grants.ts';
import { migrateDatabase } from '../../packages/shared/src/postgres/migrate.ts';
import { GRANTS as bindings } from '../../services/bindings/src/db/grants.ts';
import { GRANTS as console } from '../../services/console/src/db/grants.ts';
import { GRANTS as gateway } from '../../services/gateway/src/db/grants.ts';
import { GRANTS as notifier } from '../../services/notifier/src/db/grants.ts';
import { GRANTS as payments } from '../../services/payments/src/db/grants.ts';
import { GRANTS as sandboxBank } from '../../services/sandbox-bank/src/db/grants.ts';
import { GRANTS as withdrawals } from '../../services/withdrawals/src/db/grants.ts';
import { ROOT } from './folders.ts';
import { roleOf, SCHEMAS, SERVICES, type ServiceName } from './provision.ts';

/** Each service's privileges on its tables. */
export const GRANTS: Readonly<Record<ServiceName, Grants>> = {
  gateway,
  payments,
  bindings,
  withdrawals,
  notifier,
  console,
  'sandbox-bank': sandboxBank,
};

type Target = {
  /** URL of the schemas' owner. */
  readonly ownerUrl: string;
  /** The prefix it was provisioned with. */
  readonly rolePrefix: string;
};

/**
 * What `node services/<service>/src/migrate.ts` does, without a process for each: starting seven takes as many seconds.
 */
export async function migrateService(service: ServiceName, { ownerUrl, rolePrefix }: Target): Promise<void> {
  const folder = join(ROOT, 'services', service, 'migrations');
  if (!existsSync(join(folder, 'meta/_journal.json'))) return;
  await migrateDatabase({
    url: ownerUrl,
    schema: SCHEMAS[service],
    folder: pathToFileURL(folder).pathname,
    environment: 'TEST',
    role: roleOf({ rolePrefix }, service),
    grants: GRANTS[service],
  });
}

/** Migrates every schema to its newest version and grants every role its privileges. */
export async function migrateAll(target: Target): Promise<void> {
  for (const service of SERVICES) await migrateService(service, target);
}

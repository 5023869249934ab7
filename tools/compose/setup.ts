// Second container of `docker compose up`: database roles and schemas, migrations, the demo partner. Safe to repeat.
import { migrateAll } from '../infrastructure/migrate.ts';
import { ownerUrl, provision, type DatabaseRole } from '../infrastructure/provision.ts';
import { seedAll } from '../system/seed.ts';
import { readState } from '../system/state.ts';
import { LAYOUT, SETUP_FOLDER } from './published.ts';

const state = readState(SETUP_FOLDER);
if (state === undefined) throw new Error('the container "keys" has to run first');
const plan = {
  adminUrl: state.infrastructure.databaseUrl,
  database: 'pay',
  rolePrefix: '',
  passwordOf: (role: DatabaseRole) => state.secrets.databasePasswords[role],
};
await provision(plan);
await migrateAll({ ownerUrl: ownerUrl(plan), rolePrefix: plan.rolePrefix });
await seedAll(state, LAYOUT);
process.stdout.write('the database is migrated and the demo partner exists\n');

import { migrateMain } from '@pay/shared/service/migrate-main.ts';
import { GRANTS } from './db/grants.ts';

await migrateMain('console', new URL('../migrations', import.meta.url), GRANTS);

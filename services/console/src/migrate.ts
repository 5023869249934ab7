import { migrateMain } from '@pay/shared/service/migrate-main.ts';

await migrateMain('console', new URL('../migrations', import.meta.url));

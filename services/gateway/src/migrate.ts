import { migrateMain } from '@pay/shared/service/migrate-main.ts';

await migrateMain('gateway', new URL('../migrations', import.meta.url));

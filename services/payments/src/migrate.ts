import { migrateMain } from '@pay/shared/service/migrate-main.ts';

await migrateMain('payments', new URL('../migrations', import.meta.url));

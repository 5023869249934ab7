import { migrateMain } from '@pay/shared/service/migrate-main.ts';

await migrateMain('sandbox_bank', new URL('../migrations', import.meta.url));

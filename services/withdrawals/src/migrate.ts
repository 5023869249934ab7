import { migrateMain } from '@pay/shared/service/migrate-main.ts';

await migrateMain('withdrawals', new URL('../migrations', import.meta.url));

import { migrateMain } from '@pay/shared/service/migrate-main.ts';

await migrateMain('notifier', new URL('../migrations', import.meta.url));

import { migrateMain } from '@pay/shared/service/migrate-main.ts';

await migrateMain('bindings', new URL('../migrations', import.meta.url));

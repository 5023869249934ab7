import { runService } from '@pay/shared/service/run-service.ts';
import { createGateway } from './gateway.ts';
import { Config } from './config.ts';

await runService({
  name: 'gateway',
  sealed: 'gateway',
  schema: Config,
  migrations: new URL('../migrations/', import.meta.url),
  build: ({ config, log, database }) => createGateway(config, log, database),
});
